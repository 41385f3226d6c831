import { duplicate, type FieldError, forbiddenField, invalidValue, requiredValue } from 'orch/sdk'
import { type ServicePort, type ServiceSpec, validatePortReference } from 'orch/sdk/core'
import { isDns1123Label, isQualifiedName } from 'orch/sdk/validation'

/** The ports of a Service. Names are required if there are several. */
export function validateServicePorts({ ports = [] }: ServiceSpec, field: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const at = `${field}[${i}]`
    const { appProtocol } = port
    return [
      ...validatePortName(port, at, ports.length > 1, names),
      ...validatePortReference(port.targetPort ?? port.port, `${at}.targetPort`),
      ...(appProtocol === undefined ? [] : isQualifiedName(appProtocol)).map(text =>
        invalidValue(`${at}.appProtocol`, appProtocol, text),
      ),
    ]
  })
}

function validatePortName(
  { name = '' }: ServicePort,
  field: string,
  isNeeded: boolean,
  taken: Set<string>,
): FieldError[] {
  if (name === '') return isNeeded ? [requiredValue(`${field}.name`)] : []
  const errors = isDns1123Label(name).map(text => invalidValue(`${field}.name`, name, text))
  if (taken.has(name)) errors.push(duplicate(`${field}.name`, name))
  taken.add(name)
  return errors
}

/** Node ports belong to types that have them, and no pair of protocol and number appears twice. */
export function checkPortPairs({ ports = [], type }: ServiceSpec, field: string): FieldError[] {
  const nodePorts = new Set<string>()
  const numbers = new Set<string>()
  const errors: FieldError[] = []
  for (const [i, { nodePort = 0 }] of ports.entries())
    if (type === 'ClusterIP' && nodePort !== 0)
      errors.push(forbiddenField(`${field}[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"))
  for (const [i, { nodePort = 0, protocol }] of ports.entries()) {
    const pair = `${protocol}/${nodePort}`
    if (nodePort !== 0 && nodePorts.has(pair)) errors.push(duplicate(`${field}[${i}].nodePort`, nodePort))
    nodePorts.add(pair)
  }
  for (const [i, { port, protocol }] of ports.entries()) {
    const pair = `${protocol}/${port}`
    if (numbers.has(pair)) errors.push(duplicate(`${field}[${i}]`, pair))
    numbers.add(pair)
  }
  return errors
}
