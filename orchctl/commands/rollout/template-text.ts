import type { Container, PodTemplate, Toleration } from '../../objects/pod-template.js'

/** A Pod template in the format of `kubectl rollout history --revision`. */
export function templateText({ metadata = {}, spec }: PodTemplate): string {
  const { initContainers = [], containers, volumes = [], nodeSelector, serviceAccountName, tolerations = [] } = spec
  return [
    'Pod Template:',
    ...entries('  Labels', metadata.labels),
    ...(metadata.annotations ? entries('  Annotations', metadata.annotations, ': ') : []),
    ...(serviceAccountName ? [`  Service Account:\t${serviceAccountName}`] : []),
    ...(initContainers.length > 0 ? ['  Init Containers:', ...initContainers.flatMap(containerLines)] : []),
    '  Containers:',
    ...containers.flatMap(containerLines),
    ...(volumes.length === 0 ? ['  Volumes:\t<none>'] : ['  Volumes:', ...volumes.flatMap(volumeLines)]),
    ...entries('  Node-Selectors', nodeSelector),
    ...entries('  Tolerations', Object.fromEntries(tolerations.map(one => [tolerationText(one), '']))).map(line =>
      line.replace(/=$/, ''),
    ),
    '',
  ].join('\n')
}

function tolerationText({ key = '', operator, value, effect, tolerationSeconds }: Toleration): string {
  const named = `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`
  const exists = operator === 'Exists' && !value ? (key === '' && !effect ? 'op=Exists' : ' op=Exists') : ''
  return `${named}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`
}

/** `Labels:<tab>a=b`, the next ones below. */
function entries(title: string, values: Readonly<Record<string, string>> = {}, equals = '='): string[] {
  const lines = Object.entries(values)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}${equals}${value}`)
  return lines.length === 0
    ? [`${title}:\t<none>`]
    : lines.map((line, index) => (index === 0 ? `${title}:\t${line}` : `\t${line}`))
}

function containerLines({ name, image, command, args, ports = [], env = [], resources, volumeMounts = [] }: Container) {
  const joined = (values: readonly string[]) => (values.length === 0 ? '<none>' : values.join(', '))
  const plural = ports.length > 1 ? 's' : ''
  const block = (title: string, lines: readonly string[] = []) =>
    lines.length === 0 ? [] : [`    ${title}:`, ...lines.map(line => `      ${line}`)]
  const listed = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [`    ${title}:\t<none>`] : block(title, lines)
  const amounts = (values: Readonly<Record<string, string>> = {}) =>
    Object.entries(values).map(([key, value]) => `${key}:\t${value}`)
  return [
    `   ${name}:`,
    `    Image:\t${image ?? ''}`,
    `    Port${plural}:\t${joined(ports.map(one => `${one.containerPort}/${one.protocol ?? 'TCP'}`))}`,
    `    Host Port${plural}:\t${joined(ports.map(one => `${one.hostPort ?? 0}/${one.protocol ?? 'TCP'}`))}`,
    ...block('Command', command),
    ...block('Args', args),
    ...block('Limits', amounts(resources?.limits)),
    ...block('Requests', amounts(resources?.requests)),
    ...listed(
      'Environment',
      env.map(one => `${one.name}:\t${one.valueFrom === undefined ? (one.value ?? '') : '<set from elsewhere>'}`),
    ),
    ...listed(
      'Mounts',
      volumeMounts.map(one => `${one.mountPath} from ${one.name} (${one.readOnly ? 'ro' : 'rw'})`),
    ),
  ]
}

const volumeLines = ({ name, ...source }: { readonly name: string } & Record<string, unknown>) => [
  `   ${name}:`,
  `    Type:\t${Object.keys(source)[0] ?? 'emptyDir'}`,
]
