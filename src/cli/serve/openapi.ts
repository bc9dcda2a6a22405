/** `serve openapi`: prints the OpenAPI document of the server. */
import type { Command } from 'commander';
import { processOutput } from '../output/print.ts';
import { version } from '../process/version.ts';

const openApiHelp = `
Examples:
  msg-tui serve openapi > openapi.json

Exit codes: 0 ok · 2 usage
`;

export function registerOpenApi(serve: Command): void {
  serve
    .command('openapi')
    .description('print an OpenAPI 3.1 document of the operations')
    .addHelpText('after', openApiHelp)
    .action(async () => {
      const { openApiDocument } = await import('../../server/http/openapi/document.ts');
      processOutput().json(`${JSON.stringify(openApiDocument(version), null, 2)}\n`);
    });
}
