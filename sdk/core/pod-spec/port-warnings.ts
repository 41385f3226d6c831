import type { Container, ContainerPort } from '../container.js'

type Placed = readonly [field: string, port: ContainerPort]

/** Ports of a Pod that clash, or may be meant for another one. */
export function portWarnings(containers: readonly (readonly [field: string, container: Container])[]): string[] {
  const warnings: string[] = []
  const taken = new Map<string, Placed[]>()
  for (const [field, { ports = [] }] of containers)
    for (const [i, port] of ports.entries()) {
      const at = `${field}.ports[${i}]`
      if ((port.hostIP ?? '') !== '' && !port.hostPort) warnings.push(`${at}: hostIP set without hostPort`)
      const key = `${port.containerPort}/${port.protocol}`
      const others = taken.get(key) ?? []
      for (const [other, before] of others) {
        const clash = clashOf(port, before)
        if (clash) warnings.push(`${at}: ${clash} port definition with ${other}`)
      }
      taken.set(key, [...others, [at, port]])
    }
  return warnings
}

function clashOf(port: ContainerPort, before: ContainerPort): string | undefined {
  const [address, other] = [port.hostIP ?? '', before.hostIP ?? '']
  const [hostPort, otherPort] = [port.hostPort ?? 0, before.hostPort ?? 0]
  if (address === other && hostPort === otherPort) return 'duplicate'
  if (hostPort === 0 || otherPort === 0) return 'overlapping'
  return hostPort === otherPort && (address === '') !== (other === '') ? 'dangerously ambiguous' : undefined
}

/** A reference to a port by name uses the first one. */
export function portNameWarningsOf(containers: readonly (readonly [field: string, container: Container])[]): string[] {
  const taken = new Map<string, string>()
  return containers.flatMap(([field, { ports = [] }]) =>
    ports.flatMap(({ name = '' }, i) => {
      if (name === '') return []
      const at = `${field}.ports[${i}]`
      const other = taken.get(name)
      if (other === undefined) {
        taken.set(name, at)
        return []
      }
      return [
        `${at}: duplicate port name "${name}" with ${other}, services and probes that select ports by name will use ${other}`,
      ]
    }),
  )
}
