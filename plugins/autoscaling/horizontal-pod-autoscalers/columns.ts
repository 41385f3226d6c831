import { ageColumn, type Column, nameColumn, type ServedLevel } from 'orch/sdk'
import { targetsNameResources } from '../differences.js'
import type { MetricSpec, MetricStatus } from './metric-structs.js'
import type { HorizontalPodAutoscaler } from './schema.js'

const unknown = '<unknown>'
const shownMetrics = 2

/** `cpu: 40%/80%`: the current value and the target. */
function metricText({ type, ...spec }: MetricSpec, status: MetricStatus | undefined, namesResources: boolean): string {
  const named = (name: string | undefined, text: string) => (namesResources ? `${name ?? ''}: ${text}` : text)
  switch (type) {
    case 'External':
      return valueText(spec.external?.target, status?.external?.current)
    case 'Object':
      return valueText(spec.object?.target, status?.object?.current)
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? unknown}/${spec.pods?.target.averageValue ?? unknown}`
    case 'Resource':
      return named(spec.resource?.name, shareText(spec.resource?.target, status?.resource?.current))
    case 'ContainerResource':
      return named(
        spec.containerResource?.name,
        shareText(spec.containerResource?.target, status?.containerResource?.current),
      )
    default:
      return '<unknown type>'
  }
}

interface Value {
  value?: string
  averageValue?: string
  averageUtilization?: number
}
const valueText = (target: Value | undefined, current: Value | undefined): string =>
  target?.averageValue === undefined
    ? `${current?.value ?? unknown}/${target?.value ?? unknown}`
    : `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`
function shareText(target: Value | undefined, current: Value | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue}`
  const percent = (share: number | undefined, other: string) => (share === undefined ? other : `${share}%`)
  return `${percent(current?.averageUtilization, unknown)}/${percent(target?.averageUtilization, '<auto>')}`
}

function targetsText({ spec, status }: HorizontalPodAutoscaler, namesResources: boolean): string {
  const metrics = spec?.metrics ?? []
  if (metrics.length === 0) return '<none>'
  const texts = metrics.map((metric, i) => metricText(metric, status?.currentMetrics?.[i], namesResources))
  const shown = texts.slice(0, shownMetrics).join(', ')
  return texts.length > shownMetrics ? `${shown} + ${texts.length - shownMetrics} more...` : shown
}

type Cells = Column<HorizontalPodAutoscaler>
const column = (name: string, type: Cells['type'], description: string, cell: Cells['cell']): Cells => ({
  name,
  type,
  description,
  cell,
})

export const columnsAt = (level: ServedLevel): readonly Cells[] => [
  nameColumn as Cells,
  column('Reference', 'string', 'The scale target.', ({ spec }) => {
    const { kind = '', name = '' } = spec?.scaleTargetRef ?? {}
    return `${kind}/${name}`
  }),
  column('Targets', 'string', 'Current and target values of the metrics.', autoscaler =>
    targetsText(autoscaler, level.has(targetsNameResources)),
  ),
  column('MinPods', 'string', 'Minimum number of Pods.', ({ spec }) => String(spec?.minReplicas ?? '<unset>')),
  column('MaxPods', 'string', 'Maximum number of Pods.', ({ spec }) => spec?.maxReplicas ?? 0),
  column('Replicas', 'string', 'Current number of Pods.', ({ status }) => status?.currentReplicas ?? 0),
  ageColumn as Cells,
]
