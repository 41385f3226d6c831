import { type AdmissionRequest, type ApiError, andThen, defineAdmission } from 'orch/sdk'
import { denial } from '../evaluating/denial.js'
import { type Finding, ValidationPass } from '../evaluating/validation-pass.js'
import type { Candidate } from '../matching/policy-snapshot.js'
import type { PolicyNames } from '../names.js'
import type { BindingSpec } from '../policies/schema.js'
import { type PolicyControl, validatingPolicies } from './policy-services.js'

/** Longer annotations are truncated in the audit log. */
const maxAnnotationLength = 10 * 1024

/** Evaluates all matching validating policies, even after a denial: their warnings and annotations belong to the response. */
export const validatingAdmissionPolicy = (names: PolicyNames, { isOn }: { readonly isOn: boolean }) =>
  defineAdmission()({
    name: 'ValidatingAdmissionPolicy',
    since: '1.26',
    stage: 'webhooks',
    after: ['MutatingAdmissionWebhook'],
    before: ['ValidatingAdmissionWebhook'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { subresource: '*' },
    needs: { control: validatingPolicies },
    review(request, { control }) {
      if (!isOn) return
      return andThen(control.candidates(request), candidates =>
        candidates.length > 0 ? validate(request, candidates, control, names) : undefined,
      )
    },
  })

function validate(
  request: AdmissionRequest,
  candidates: readonly Candidate[],
  control: PolicyControl,
  names: PolicyNames,
): void | Promise<void> {
  if (candidates.length === 0) return
  const pass = new ValidationPass(request, control.services)
  const findings = pass.run(candidates)
  const waiting = pass.takePending()
  if (waiting.length === 0) return conclude(request, findings, control, names)
  return waitAndConclude(request, candidates, pass, waiting, control, names)
}

async function waitAndConclude(
  request: AdmissionRequest,
  candidates: readonly Candidate[],
  pass: ValidationPass,
  first: readonly Promise<unknown>[],
  control: PolicyControl,
  names: PolicyNames,
): Promise<void> {
  let findings: Finding[] = []
  for (let waiting = first; waiting.length > 0; waiting = pass.takePending()) {
    await Promise.all(waiting)
    findings = pass.run(candidates)
  }
  conclude(request, findings, control, names)
}

/** A failed validation, in the format of the audit annotation. */
interface Failure {
  readonly message: string
  readonly policy: string
  readonly binding: string
  readonly expressionIndex: number
  readonly validationActions: readonly string[]
}

/** Adds the warnings and annotations of the findings to the response, then throws an ApiError if a policy denies the request. */
function conclude(request: AdmissionRequest, findings: readonly Finding[], control: PolicyControl, names: PolicyNames) {
  let refusal: ApiError | undefined
  const failures: Failure[] = []
  const annotations = new Map<string, Set<string>>()
  for (const finding of findings) {
    if ('problem' in finding) {
      const { policy, binding, problem } = finding
      const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${problem}`
      control.report(policy.name, binding?.name ?? '', 'failed', [message], policy.isFailureIgnored ? [] : ['Deny'])
      if (!policy.isFailureIgnored) refusal ??= refused(request, policy.name, binding?.name, message, 'Invalid')
      continue
    }
    const { policy, binding, result, seconds } = finding
    const actions = actionsOf(binding.spec)
    for (const { isAdmitted, isFailed, message, reason, index } of result.decisions) {
      if (isAdmitted) {
        if (isFailed) control.metrics.observe(policy.name, binding.name, 'allow', true, seconds)
        continue
      }
      for (const action of actions) {
        if (action === 'Deny') refusal ??= refused(request, policy.name, binding.name, message, reason || 'Invalid')
        else if (action === 'Warn')
          request.warn(
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${inOneLine(message)}`,
          )
        else
          failures.push({
            message,
            policy: policy.name,
            binding: binding.name,
            expressionIndex: index,
            validationActions: actions,
          })
        const enforced = action === 'Deny' ? 'deny' : action === 'Warn' ? 'warn' : 'audit'
        control.metrics.observe(policy.name, binding.name, enforced, isFailed, seconds)
      }
    }
    for (const annotation of result.annotations) {
      if ('error' in annotation) {
        refusal ??= refused(request, policy.name, binding.name, annotation.error, 'Invalid')
        continue
      }
      const key = `${policy.name}/${annotation.key}`
      annotations.set(key, (annotations.get(key) ?? new Set()).add(annotation.value.slice(0, maxAnnotationLength)))
    }
    if (control.isObserved) reportDecision(control, finding)
  }
  if (failures.length > 0) request.annotate(names.failureAnnotation, () => JSON.stringify(failures))
  for (const [key, values] of annotations) request.annotate(key, [...values].join(', '))
  if (refusal) throw refusal
}

/** Before bindings had actions, requests were denied. */
const actionsOf = ({ validationActions = ['Deny'] }: BindingSpec): readonly string[] => validationActions

/** A header must not have line breaks, but the expression that is shown for a missing message may. */
const inOneLine = (message: string): string =>
  message
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .join(' ')

function refused(
  request: AdmissionRequest,
  policy: string,
  binding: string | undefined,
  message: string,
  reason: string,
): ApiError {
  const policyAndBinding = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`
  return denial(request, [`ValidatingAdmissionPolicy ${policyAndBinding} denied request: ${message}`], reason)
}

function reportDecision(
  control: PolicyControl,
  { policy, binding, result }: Exclude<Finding, { problem: string }>,
): void {
  const broken = result.decisions.filter(({ isAdmitted, isFailed }) => !isAdmitted || isFailed)
  const errors = result.annotations.flatMap(annotation => ('error' in annotation ? [annotation.error] : []))
  const messages = [...broken.map(({ message }) => message), ...errors]
  const isDenied = broken.some(({ isAdmitted }) => !isAdmitted)
  const outcome = result.isSkipped
    ? 'skipped'
    : messages.length === 0
      ? 'admitted'
      : broken.some(({ isFailed }) => !isFailed)
        ? 'denied'
        : 'failed'
  const actions = isDenied ? actionsOf(binding.spec) : errors.length > 0 ? ['Deny'] : []
  control.report(policy.name, binding.name, outcome, messages, actions)
}
