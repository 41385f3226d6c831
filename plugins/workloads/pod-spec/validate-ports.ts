import {
  type Container,
  type ContainerPort,
  duplicate,
  type FieldError,
  invalidValue,
  isValidPortName,
  isValidPortNumber,
  oneOf,
  required,
} from 'orch/sdk'

export const protocols = ['SCTP', 'TCP', 'UDP'] as const

/** The ports of one container. */
export function validateContainerPorts(ports: readonly ContainerPort[] = [], field: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const at = `${field}[${i}]`
    return [
      ...validatePortName(port.name ?? '', `${at}.name`, names),
      ...(port.containerPort === 0
        ? [required(`${at}.containerPort`)]
        : validatePortNumber(port.containerPort, `${at}.containerPort`)),
      ...(port.hostPort ? validatePortNumber(port.hostPort, `${at}.hostPort`) : []),
      ...((port.protocol ?? '') === ''
        ? [required(`${at}.protocol`)]
        : oneOf(port.protocol, `${at}.protocol`, protocols)),
    ]
  })
}

const validatePortNumber = (port: number, field: string): FieldError[] =>
  isValidPortNumber(port).map(text => invalidValue(field, port, text))

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

/** In the network of the node a container listens where it says. */
export const checkHostNetworkPorts = (containers: readonly Container[], field: string): FieldError[] =>
  containers.flatMap(({ ports = [] }, c) =>
    ports.flatMap(({ hostPort = 0, containerPort }, p) =>
      hostPort === containerPort
        ? []
        : [
            invalidValue(
              `${field}[${c}].ports[${p}].containerPort`,
              containerPort,
              'must match `hostPort` when `hostNetwork` is true',
            ),
          ],
    ),
  )
