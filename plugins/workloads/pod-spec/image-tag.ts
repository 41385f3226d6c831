/** One part of a repository path, and a registry host with its port. */
const pathPart = '[a-z0-9]+(?:(?:[._]|__|[-]*)[a-z0-9]+)*'
const host = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const registry = `(?:${host}(?:\\.${host})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const reference = new RegExp(
  `^(?:${registry}/)?${pathPart}(?:/${pathPart})*(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
)

/** The tag an image reference means: `latest` if it names neither tag nor digest, empty if it is no reference. */
export function imageTag(image: string): string {
  const match = reference.exec(image)
  if (!match) return ''
  const { tag = '', digest = '' } = match.groups ?? {}
  return tag === '' && digest === '' ? 'latest' : tag
}
