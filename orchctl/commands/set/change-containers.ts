import type { ApiObject } from 'orch/sdk'
import { type Container, podSpecOf, podSpecPath, withValueAt } from '../../objects/pod-template.js'

/** The object with changed containers; undefined if there is no change. Containers of the names in `required` must exist. */
export function changeContainers(
  object: ApiObject,
  change: (container: Container) => Container,
  required: readonly string[] = [],
): ApiObject | undefined {
  const spec = podSpecOf(object)
  if (spec === undefined) throw new Error(`${object.kind} has no containers`)
  const all = [...spec.containers, ...(spec.initContainers ?? [])]
  const missing = required.find(name => !all.some(one => one.name === name))
  if (missing !== undefined) throw new Error(`unable to find container named "${missing}"`)
  const [containers, initContainers] = [spec.containers.map(change), spec.initContainers?.map(change)]
  const isSame = [...containers, ...(initContainers ?? [])].every(
    (one, index) => [...spec.containers, ...(spec.initContainers ?? [])].at(index) === one,
  )
  if (isSame) return undefined
  const changed = { ...spec, containers, ...(initContainers ? { initContainers } : {}) }
  return withValueAt(object, podSpecPath(object) ?? [], changed)
}

/** Whether a name matches `--containers`, in which `*` stands for any letters. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name => name === pattern
  return name => {
    if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
    const end = name.length - last.length
    let at = first.length
    return rest.every(part => {
      const found = name.indexOf(part, at)
      at = found + part.length
      return found >= 0 && at <= end
    })
  }
}
