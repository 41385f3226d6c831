/**
 * Is this one segment of a path, as the server's names are? An empty one would leave the path of what contains it, a browser
 * resolves dots, and slashes would begin another segment.
 */
export const isSegment = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && text !== '.' && text !== '..' && !/[/%\\]/.test(text)
