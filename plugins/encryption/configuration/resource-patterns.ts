/** Which resources an entry of the configuration is for: `secrets`, `widgets.example.com`, `*.apps`, `*.` (the core group), `*.*`. */
export interface ResourcePattern {
  readonly text: string
  readonly group: string
  readonly resource: string
}

const any = '*'
const named = /^[a-z0-9-]+$/
const groupNamed = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/

/** Throws an error with the violated rule. */
export function parsePattern(text: unknown): ResourcePattern {
  if (typeof text !== 'string' || text === '') throw new Error('must be the name of a resource')
  const dot = text.indexOf('.')
  const resource = dot < 0 ? text : text.slice(0, dot)
  const group = dot < 0 ? '' : text.slice(dot + 1)
  if (text === any) throw new Error("must be '*.' for the resources of the core group, or '*.*' for all")
  if (group === any && resource !== any) throw new Error("must name a group, or be '*.*' for all resources")
  if (resource !== any && (!named.test(resource) || (dot >= 0 && group === '')))
    throw new Error('must be <resource>, <resource>.<group>, *.<group>, *. or *.*')
  if (group !== '' && group !== any && !groupNamed.test(group)) throw new Error('must end with the name of a group')
  return { text, group, resource }
}

/** Whether the pattern applies to the objects of a collection, `<group>/<resource>`. */
export function isMatch({ group, resource }: ResourcePattern, collection: string): boolean {
  const slash = collection.indexOf('/')
  const isGroup = group === any || group === collection.slice(0, slash)
  return isGroup && (resource === any || resource === collection.slice(slash + 1))
}

/** Whether the first pattern matches everything that the second one matches. */
export const isCovered = (by: ResourcePattern, pattern: ResourcePattern): boolean =>
  (by.group === any || by.group === pattern.group) && (by.resource === any || by.resource === pattern.resource)
