/**
 * Is this a single path segment? An empty one would yield the path of the collection, browsers resolve `.` and `..`, and slashes
 * begin another segment.
 */
export const isSegment = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && text !== '.' && text !== '..' && !/[/%\\]/.test(text)
