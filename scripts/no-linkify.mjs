/** In the place of linkify-it, which markdown-it makes one of and this program never asks: it finds links by itself. */
export class LinkifyIt {}
