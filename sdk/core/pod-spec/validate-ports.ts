import type { ServedLevel } from '../../plugin/level.js'
import { duplicate, type FieldError, invalidValue, requiredValue } from '../../resource/field-errors.js'
import { isValidPortName } from '../../validation/object-names.js'
import type { Container, ContainerPort } from '../container.js'
import { fixedHostPorts } from './differences.js'

/** The ports of one container. */
export function validateContainerPorts(ports: readonly ContainerPort[] = [], field: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const at = `${field}[${i}]`
    return [
      ...validatePortName(port.name ?? '', `${at}.name`, names),
      ...(port.containerPort === 0 ? [requiredValue(`${at}.containerPort`)] : []),
    ]
  })
}

function validatePortName(name: string, field: string, taken: Set<string>): FieldError[] {
  if (name === '') return []
  const broken = isValidPortName(name)
  if (broken.length > 0) return broken.map(text => invalidValue(field, name, text))
  if (taken.has(name)) return [duplicate(field, name)]
  taken.add(name)
  return []
}

/** Containers that run at the same time share the ports of the node. */
export function checkHostPorts(containers: readonly Container[], field: string): FieldError[] {
  const taken = new Set<string>()
  return containers.flatMap(({ ports = [] }, c) =>
    ports.flatMap(({ protocol, hostIP = '', hostPort = 0 }, p) => {
      if (hostPort === 0) return []
      const key = `${protocol}/${hostIP}/${hostPort}`
      if (taken.has(key)) return [duplicate(`${field}[${c}].ports[${p}].hostPort`, key)]
      taken.add(key)
      return []
    }),
  )
}

/** In the network of the host, a container port is a host port, so both are equal. Since 1.28 the host port of a template may be unset. */
export function checkHostNetworkPorts(
  containers: readonly Container[],
  field: string,
  level: ServedLevel,
): FieldError[] {
  const isAtHost = level.has(fixedHostPorts)
  return containers.flatMap(({ ports = [] }, c) =>
    ports.flatMap(({ hostPort = 0, containerPort }, p) => {
      const at = `${field}[${c}].ports[${p}]`
      if (hostPort === containerPort || (isAtHost && hostPort === 0)) return []
      return isAtHost
        ? [invalidValue(`${at}.hostPort`, hostPort, 'must match `containerPort` when `hostNetwork` is true')]
        : [invalidValue(`${at}.containerPort`, containerPort, 'must match `hostPort` when `hostNetwork` is true')]
    }),
  )
}
