import type { ServedLevel } from 'orch/sdk'
import { podOfTemplate } from 'orch/sdk/controllers'
import type { Container } from 'orch/sdk/core'
import { indexLabels } from '../../differences.js'
import type { BatchNames } from '../../names.js'
import { isTracked } from '../tracking.js'
import { isIndexed, type StoredJob, type StoredPod } from './job-state.js'

interface Tracks {
  readonly names: BatchNames
  /** Whether marked jobs track their Pods with a finalizer. */
  readonly tracks: boolean
  readonly level: ServedLevel
}
const indexVariable = 'JOB_COMPLETION_INDEX'

/** The maximum length of a generated name before its random suffix. */
const maxPrefixLength = 58
/** The name of the job is truncated if necessary, but never the index. */
function prefixFor(name: string, index: number): string {
  const end = `-${index}-`
  return `${name.slice(0, maxPrefixLength - end.length)}${end}`
}

/**
 * A Pod of the job. One of an indexed job has its index in an annotation, an environment variable and its host name.
 */
export function podOf(
  { names, tracks, level }: Tracks,
  job: StoredJob,
  index: number | undefined,
  failures = 0,
): StoredPod {
  const pod = podOfTemplate(job, job.spec?.template ?? {})
  if (tracks && isTracked(job, names))
    pod.metadata.finalizers = [...new Set([...(pod.metadata.finalizers ?? []), names.tracking])]
  if (!isIndexed(job) || index === undefined) return pod
  const name = job.metadata.name ?? ''
  const isLabelled = level.has(indexLabels)
  const fieldPath = `metadata.${isLabelled ? 'labels' : 'annotations'}['${names.completionIndex}']`
  const withIndex = (container: Container): Container =>
    (container.env ?? []).some(variable => variable.name === indexVariable)
      ? container
      : {
          ...container,
          env: [...(container.env ?? []), { name: indexVariable, valueFrom: { fieldRef: { fieldPath } } }],
        }
  const annotations = {
    ...pod.metadata.annotations,
    [names.completionIndex]: String(index),
    ...(job.spec?.backoffLimitPerIndex === undefined ? {} : { [names.indexFailures]: String(failures) }),
  }
  const labels = isLabelled ? { labels: { ...pod.metadata.labels, [names.completionIndex]: String(index) } } : {}
  const { initContainers } = pod.spec
  return {
    ...pod,
    metadata: { ...pod.metadata, generateName: prefixFor(name, index), annotations, ...labels },
    spec: {
      ...pod.spec,
      hostname: `${name}-${index}`,
      containers: pod.spec.containers.map(withIndex),
      ...(initContainers ? { initContainers: initContainers.map(withIndex) } : {}),
    },
  }
}
