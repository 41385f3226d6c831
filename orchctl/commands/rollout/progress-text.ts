import type { ApiObject } from 'orch/sdk'

/** The progress of a rollout. */
export interface RolloutProgress {
  readonly text: string
  readonly isDone: boolean
}

interface Rolled extends ApiObject {
  spec?: {
    replicas?: number
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } }
  }
  status?: {
    observedGeneration?: number
    replicas?: number
    updatedReplicas?: number
    readyReplicas?: number
    availableReplicas?: number
    currentReplicas?: number
    currentRevision?: string
    updateRevision?: string
    updatedNumberScheduled?: number
    desiredNumberScheduled?: number
    numberAvailable?: number
    conditions?: readonly { readonly type?: string; readonly reason?: string }[]
  }
}

const inProgress = (text: string): RolloutProgress => ({ text, isDone: false })
const done = (text: string): RolloutProgress => ({ text, isDone: true })
const isObserved = ({ metadata, status }: Rolled) => (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0)

function onlyRollingUpdate({ spec }: Rolled): void {
  if ((spec?.updateStrategy?.type ?? 'RollingUpdate') !== 'RollingUpdate')
    throw new Error('rollout status is only available for RollingUpdate strategy type')
}

/** The progress of a rollout by kind, with the messages of kubectl, which scripts rely on. Throws if it has failed. */
export const rolloutProgress: Readonly<Record<string, (object: Rolled) => RolloutProgress>> = {
  deployments(object) {
    if (!isObserved(object)) return inProgress('Waiting for deployment spec update to be observed...')
    const { name } = object.metadata
    const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, conditions = [] } = object.status ?? {}
    if (conditions.some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded'))
      throw new Error(`deployment "${name}" exceeded its progress deadline`)
    const wanted = object.spec?.replicas ?? 1
    const waiting = (what: string) => inProgress(`Waiting for deployment "${name}" rollout to finish: ${what}...`)
    if (updatedReplicas < wanted) return waiting(`${updatedReplicas} out of ${wanted} new replicas have been updated`)
    if (replicas > updatedReplicas) return waiting(`${replicas - updatedReplicas} old replicas are pending termination`)
    if (availableReplicas < updatedReplicas)
      return waiting(`${availableReplicas} of ${updatedReplicas} updated replicas are available`)
    return done(`deployment "${name}" successfully rolled out`)
  },
  daemonsets(object) {
    onlyRollingUpdate(object)
    if (!isObserved(object)) return inProgress('Waiting for daemon set spec update to be observed...')
    const { name } = object.metadata
    const { updatedNumberScheduled = 0, desiredNumberScheduled = 0, numberAvailable = 0 } = object.status ?? {}
    const waiting = (what: string) => inProgress(`Waiting for daemon set "${name}" rollout to finish: ${what}...`)
    if (updatedNumberScheduled < desiredNumberScheduled)
      return waiting(`${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated`)
    if (numberAvailable < desiredNumberScheduled)
      return waiting(`${numberAvailable} of ${desiredNumberScheduled} updated pods are available`)
    return done(`daemon set "${name}" successfully rolled out`)
  },
  statefulsets(object) {
    onlyRollingUpdate(object)
    const { status = {}, spec } = object
    if (!status.observedGeneration || !isObserved(object))
      return inProgress('Waiting for statefulset spec update to be observed...')
    const wanted = spec?.replicas ?? 1
    const { readyReplicas = 0, updatedReplicas = 0, currentReplicas = 0 } = status
    if (readyReplicas < wanted) return inProgress(`Waiting for ${wanted - readyReplicas} pods to be ready...`)
    const { rollingUpdate } = spec?.updateStrategy ?? {}
    if (rollingUpdate !== undefined) {
      const updating = wanted - (rollingUpdate.partition ?? 0)
      if (updatedReplicas < updating)
        return inProgress(
          `Waiting for partitioned roll out to finish: ${updatedReplicas} out of ${updating} new pods have been updated...`,
        )
      return done(`partitioned roll out complete: ${updatedReplicas} new pods have been updated...`)
    }
    if (status.updateRevision !== status.currentRevision)
      return inProgress(
        `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${status.updateRevision}...`,
      )
    return done(`statefulset rolling update complete ${currentReplicas} pods at revision ${status.currentRevision}...`)
  },
}
