const pathPart = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/
const registry = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/
const tagForm = /^\w[\w.-]*$/
const digestForm = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]+$/

/** Would be taken for the id of an image. */
const idForm = /^[a-f0-9]{64}$/

const longestName = 255
const longestTag = 128
const shortestDigest = 32
/** Longer than any name with a tag and a digest: longer texts are not matched. */
const longestReference = 1024

/** The tag of an image reference: `latest` if it has neither tag nor digest, empty if it is not a reference. */
export function imageTag(image: string): string {
  if (image.length > longestReference || idForm.test(image)) return ''
  const [beforeDigest, digest] = splitAt(image, image.indexOf('@'))
  if (digest !== undefined && !isDigest(digest)) return ''
  // A colon before the last slash belongs to the port of the registry.
  const [name, tag] = splitAt(beforeDigest, beforeDigest.indexOf(':', beforeDigest.lastIndexOf('/') + 1))
  if (tag !== undefined && !(tag.length <= longestTag && tagForm.test(tag))) return ''
  if (!isName(name)) return ''
  return tag ?? (digest === undefined ? 'latest' : '')
}

function isName(name: string): boolean {
  const parts = name.split('/')
  const [first = '', ...rest] = parts
  const isRegistry = rest.length > 0 && registry.test(first) && !first.includes('..') && !/[.]-|-[.]/.test(first)
  const isDomain = isRegistry && (/[.:A-Z]/.test(first) || first === 'localhost')
  const path = isDomain ? rest.join('/') : rest.length > 0 ? name : `library/${name}`
  return path.length <= longestName && (isRegistry || pathPart.test(first)) && rest.every(part => pathPart.test(part))
}

const isDigest = (digest: string) =>
  digestForm.test(digest) && digest.length - digest.lastIndexOf(':') - 1 >= shortestDigest

const splitAt = (text: string, at: number): [before: string, after?: string] =>
  at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
