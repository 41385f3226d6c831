import { type FieldError, forbiddenField, type Vendor } from 'orch/sdk'
import type { Container, ContainerStatus, Pod, PodSpec } from 'orch/sdk/core'
import { restartsByContainer } from './differences.js'

/** A container that ended for good must not be reported as alive again. */
export function validateRestarts(sent: Pod, stored: Pod, { level }: Vendor): FieldError[] {
  const { spec } = stored
  const check = (list: StatusList, mayRestart: MayRestart) => checkList(sent, stored, list, mayRestart)
  const [main, init] = level.has(restartsByContainer) ? byContainer(spec) : byPod(spec)
  return [
    ...check('containerStatuses', main),
    ...check('initContainerStatuses', init),
    ...check('ephemeralContainerStatuses', () => false),
  ]
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'
type MayRestart = (name: string, exitCode: number) => boolean
/** Of containers, and of init containers. */
type Restarts = readonly [main: MayRestart, init: MayRestart]

function checkList(sent: Pod, stored: Pod, list: StatusList, mayRestart: MayRestart): FieldError[] {
  const hasEnded = ({ state }: ContainerStatus) => state?.terminated !== undefined
  const alive = new Set((sent.status?.[list] ?? []).filter(status => !hasEnded(status)).map(({ name }) => name))
  return (stored.status?.[list] ?? []).flatMap(({ name, state }, i) =>
    state?.terminated === undefined || !alive.has(name) || mayRestart(name, state.terminated.exitCode)
      ? []
      : [forbiddenField(`status.${list}[${i}].state`, 'may not be transitioned to non-terminated state')],
  )
}

/** Containers follow the policy of the Pod, except sidecars, which always restart. */
function byPod({ restartPolicy, initContainers = [] }: PodSpec): Restarts {
  const sidecars = new Set(initContainers.filter(one => one.restartPolicy === 'Always').map(({ name }) => name))
  const main: MayRestart = (_, exitCode) => allows(restartPolicy, exitCode)
  return [main, (name, exitCode) => sidecars.has(name) || main(name, exitCode)]
}

/** Each container follows its own rules, then its own policy, then that of the Pod. One that the spec lacks does not restart. */
function byContainer({ restartPolicy, containers, initContainers = [] }: PodSpec): Restarts {
  const restartsAll = [...(containers ?? []), ...initContainers].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  )
  if (restartsAll) return [() => true, () => true]
  const among =
    (list: readonly Container[]): MayRestart =>
    (name, exitCode) => {
      const container = list.find(one => one.name === name)
      return container !== undefined && containerRestarts(container, exitCode, restartPolicy)
    }
  return [among(containers ?? []), among(initContainers)]
}

function containerRestarts(container: Container, exitCode: number, ofPod: string | undefined): boolean {
  const { restartPolicy, restartPolicyRules = [] } = container
  if (restartPolicy === undefined) return allows(ofPod, exitCode)
  const rule = restartPolicyRules.find(({ exitCodes }) => {
    if (!exitCodes) return false
    const isListed = (exitCodes.values ?? []).includes(exitCode)
    return exitCodes.operator === (isListed ? 'In' : 'NotIn')
  })
  return rule?.action === 'Restart' || allows(restartPolicy, exitCode)
}

/** Whether a policy restarts a container that ended. Without a policy it does. */
const allows = (policy: string | undefined, exitCode: number): boolean =>
  policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never'
