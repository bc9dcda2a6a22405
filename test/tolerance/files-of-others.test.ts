/** The files of what somebody else wrote are not staked on a reaction while nobody knows what this server does with them. */
import { expect, test } from 'vitest';
import { scene } from './scene.ts';

test.each(['partial', 'full-replace'] as const)(
  '%s: a question is asked first, and the attachments are there at the end',
  async (put) => {
    const { rig, cast } = await scene({ put });
    try {
      const { id: messageId, attachments } = cast.annsWithFile;
      rig.server.world.putMessage({ ...cast.annsWithFile, reactions: [] });
      const changes = () => rig.server.requests.filter((request) => request.startsWith('PUT')).length;
      const react = {
        kind: 'message.react',
        conversationId: cast.main.id,
        messageId,
        name: '+1',
        present: true,
      } as const;
      const asked = await rig.act({ ...react, confirmed: false });
      expect(asked).toMatchObject({ how: 'refused', said: expect.stringContaining('keeps the text') });
      expect(changes()).toBe(0);
      expect(await rig.act({ ...react, confirmed: true })).toMatchObject({ how: 'settled' });
      expect(rig.server.world.messages.get(messageId)?.attachments).toEqual(attachments);
      // It is known from now on.
      const again = await rig.act({ ...react, name: 'eyes', confirmed: false });
      expect(again.said).not.toContain('not known yet');
    } finally {
      await rig.close();
    }
  },
);
