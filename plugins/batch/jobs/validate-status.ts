import { isDeepStrictEqual } from 'node:util'
import { addAll, type FieldError, invalidValue, requiredValue, type ServedLevel } from 'orch/sdk'
import { immutableStartTime } from '../differences.js'
import { firstShared, parseIndexes } from './indexes.js'
import type { Job, JobStatus } from './schema.js'

export const isTrue = ({ conditions = [] }: JobStatus, type: string): boolean =>
  conditions.some(condition => condition.type === type && condition.status === 'True')
const isFinished = (status: JobStatus): boolean => isTrue(status, 'Complete') || isTrue(status, 'Failed')

/**
 * Other controllers may run jobs, so the status must be validated. A rule is checked only if a field that it concerns
 * has changed: a status from before the rule stays valid.
 */
export function validateStrictStatus(sent: Job, stored: Job, level: ServedLevel): FieldError[] {
  const errors: FieldError[] = []
  const { spec, status = {} } = sent
  const { status: before = {} } = stored
  const turned = (type: string) => isTrue(status, type) !== isTrue(before, type)
  const changed = (...names: (keyof JobStatus)[]) => names.some(name => !isDeepStrictEqual(status[name], before[name]))
  const wrongConditions = (text: string) => errors.push(invalidValue('status.conditions', undefined, text))
  const wrong = (name: keyof JobStatus, text: string) => errors.push(invalidValue(`status.${name}`, status[name], text))
  const isComplete = isTrue(status, 'Complete')
  const isFailed = isTrue(status, 'Failed')
  const isIndexed = spec?.completionMode === 'Indexed'
  const hasFinished = isFinished(status)
  const finishTurned = hasFinished !== isFinished(before)

  if ((turned('Complete') || turned('Failed')) && isComplete && isFailed)
    wrongConditions('cannot set Complete=True and Failed=true conditions')
  if ((turned('Complete') || turned('FailureTarget')) && isComplete && isTrue(status, 'FailureTarget'))
    wrongConditions('cannot set Complete=True and FailureTarget=true conditions')
  if (turned('Complete') || changed('completionTime')) {
    if (status.completionTime !== undefined && !isComplete)
      wrong('completionTime', 'cannot set completionTime when there is no Complete=True condition')
    if (status.completionTime === undefined && isComplete)
      errors.push(requiredValue('status.completionTime', 'completionTime is required for Complete jobs'))
  }
  if (changed('startTime', 'completionTime') && status.startTime && status.completionTime)
    if (Date.parse(status.completionTime) < Date.parse(status.startTime))
      wrong('completionTime', 'must be equal to or after `startTime`')
  if ((turned('Failed') || changed('failedIndexes')) && isFailed && !isTrue(status, 'FailureTarget'))
    wrongConditions('cannot set Failed=True condition without the FailureTarget=true condition')
  if ((turned('Complete') || turned('SuccessCriteriaMet')) && isComplete && !isTrue(status, 'SuccessCriteriaMet'))
    wrongConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')
  if ((finishTurned || changed('active')) && (status.active ?? 0) > 0 && hasFinished)
    wrong('active', 'active>0 is invalid for finished job')
  const isEmptyAndSuspended = spec?.suspend === true && spec.completions === 0
  if ((finishTurned || changed('startTime')) && !isEmptyAndSuspended && status.startTime === undefined && hasFinished)
    errors.push(requiredValue('status.startTime', 'startTime is required for finished job'))
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  if ((finishTurned || changed('uncountedTerminatedPods')) && hasFinished && succeeded.length + failed.length > 0)
    wrong('uncountedTerminatedPods', 'must be empty for finished job')
  addAll(errors, validateIndexes(sent, changed('completedIndexes'), changed('failedIndexes'), isIndexed))
  if ((finishTurned || changed('terminating')) && (status.terminating ?? 0) > 0 && hasFinished)
    wrong('terminating', 'terminating>0 is invalid for finished job')
  if (changed('ready', 'active') && status.ready !== undefined && status.ready > (status.active ?? 0))
    wrong('ready', 'cannot set more ready pods than active')
  return [...errors, ...validateTransition(sent, stored, isIndexed, level)]
}

function validateIndexes(
  { spec, status = {} }: Job,
  completedChanged: boolean,
  failedChanged: boolean,
  isIndexed: boolean,
) {
  const errors: FieldError[] = []
  const { completedIndexes = '', failedIndexes } = status
  const completions = spec?.completions
  const completed = completions === undefined ? [] : parseIndexes(completedIndexes, completions)
  const failed = completions === undefined ? [] : parseIndexes(failedIndexes ?? '', completions)
  if (completedChanged && typeof completed === 'string')
    errors.push(
      invalidValue('status.completedIndexes', completedIndexes, `error parsing completedIndexes: ${completed}`),
    )
  if (failedChanged && spec?.backoffLimitPerIndex !== undefined && typeof failed === 'string')
    errors.push(invalidValue('status.failedIndexes', failedIndexes, `error parsing failedIndexes: ${failed}`))
  if (completedChanged && completedIndexes !== '' && !isIndexed)
    errors.push(
      invalidValue(
        'status.completedIndexes',
        completedIndexes,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      ),
    )
  if (failedChanged && failedIndexes !== undefined && spec?.backoffLimitPerIndex === undefined)
    errors.push(
      invalidValue(
        'status.failedIndexes',
        failedIndexes,
        'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ),
    )
  if (completedChanged || failedChanged) {
    const shared = firstShared(completedIndexes, failedIndexes ?? '', completions ?? 0)
    if (shared !== undefined)
      errors.push(
        invalidValue(
          'status.failedIndexes',
          failedIndexes,
          `failedIndexes and completedIndexes overlap at index: ${shared}`,
        ),
      )
  }
  return errors
}

/** SuccessCriteriaMet excludes other conditions; with `needPolicies` it requires a successPolicy. */
export function validateSuccessCriteria(
  { spec, status = {} }: Job,
  { status: before = {} }: Job,
  needPolicies: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  const wrong = (text: string) => errors.push(invalidValue('status.conditions', undefined, text))
  const isMet = isTrue(status, 'SuccessCriteriaMet')
  const wasMet = isTrue(before, 'SuccessCriteriaMet')
  if (needPolicies && isMet && spec?.completionMode !== 'Indexed')
    wrong('cannot set SuccessCriteriaMet to NonIndexed Job')
  if (needPolicies && isMet && !spec?.successPolicy)
    wrong('cannot set SuccessCriteriaMet=True for Job without SuccessPolicy')
  if (isMet && isTrue(status, 'Failed')) wrong('cannot set SuccessCriteriaMet=True and Failed=true conditions')
  if (isMet && isTrue(status, 'FailureTarget'))
    wrong('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')
  if (spec?.successPolicy && !isMet && isTrue(status, 'Complete'))
    wrong('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')
  if (wasMet && !isMet) wrong('cannot disable the SuccessCriteriaMet=True condition')
  if (isTrue(before, 'Complete') && !wasMet && isMet)
    wrong('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')
  return errors
}

function validateTransition(
  { spec, status = {} }: Job,
  { status: before = {} }: Job,
  isIndexed: boolean,
  level: ServedLevel,
): FieldError[] {
  const errors: FieldError[] = []
  const wrong = (name: keyof JobStatus, text: string) => errors.push(invalidValue(`status.${name}`, status[name], text))
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isTrue(before, type) && !isTrue(status, type))
      errors.push(invalidValue('status.conditions', undefined, `cannot disable the terminal ${type}=True condition`))
  if ((status.failed ?? 0) < (before.failed ?? 0)) wrong('failed', 'cannot decrease the failed counter')
  const mayShrink = isIndexed && spec?.completions === spec?.parallelism
  if (!mayShrink && (status.succeeded ?? 0) < (before.succeeded ?? 0))
    wrong('succeeded', 'cannot decrease the succeeded counter')
  if (status.completionTime && before.completionTime && status.completionTime !== before.completionTime)
    wrong('completionTime', 'field is immutable')
  const isResuming =
    isTrue(before, 'Suspended') &&
    (status.conditions ?? []).some(({ type, status: value }) => type === 'Suspended' && value === 'False')
  if (before.startTime !== undefined && before.startTime !== status.startTime && !spec?.suspend && !isResuming)
    if (level.has(immutableStartTime)) wrong('startTime', 'field is immutable for unsuspended job once set')
    else errors.push(requiredValue('status.startTime', 'startTime cannot be removed for unsuspended job'))
  return errors
}
