import {
  type AdmissionDefinition,
  type AdmissionRequest,
  isAdmissionMatch,
  isFieldSet,
} from '../admission/admission.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import { ApiError, forbidden } from '../resource/api-errors.js'
import { deepFreeze } from './plugin-conformance/deep-freeze.js'

/** The result of a review by a control. */
export interface Admitted<T> {
  /** The object as the control left it. */
  readonly object: T
  /** Why it was refused; undefined when it was admitted. */
  readonly refusal: ApiError | undefined
  readonly warnings: readonly string[]
  readonly annotations: Readonly<Record<string, string>>
}

/** A request as a test states it: only what matters to the case. */
export type StatedRequest<T> = Partial<Omit<AdmissionRequest<T>, 'warn' | 'annotate'>>

/**
 * Sends a request through one control as the kernel would, and is stricter: everything that the control must not change is
 * frozen, and the objects of the test are not modified. A request that the control does not match is admitted.
 */
export async function admit<T, N extends Needs>(
  control: AdmissionDefinition<T, N>,
  stated: StatedRequest<T>,
  services: Resolved<N>,
): Promise<Admitted<T>> {
  const warnings: string[] = []
  const annotations: Record<string, string> = {}
  const { object, oldObject } = stated
  const request = {
    operation: 'create',
    user: { name: 'ann', groups: ['system:authenticated'] },
    group: '',
    version: 'v1',
    kind: 'Pod',
    resource: 'pods',
    subresource: '',
    namespace: 'town',
    name: metadataName(object) ?? metadataName(oldObject) ?? '',
    pathName: '',
    options: {},
    dryRun: false,
    requestVersion: 'v1',
    reinvoked: false,
    releaseLock: () => {},
    timeLeftMs: () => Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    warn: (text: string) => void warnings.push(text),
    annotate: (key: string, value: string | (() => string)) => {
      annotations[key] = typeof value === 'string' ? value : value()
    },
    ...stated,
    object: structuredClone(object),
    oldObject: deepFreeze(structuredClone(oldObject)),
  } as AdmissionRequest<T>
  const { matches, whenSet } = control
  const isConcerned = !whenSet || isFieldSet(object, whenSet) || isFieldSet(oldObject, whenSet)
  const isCalled = isConcerned && isAdmissionMatch(matches, request)
  const refusal = isCalled ? await review(control, request, services) : undefined
  return { object: request.object, refusal, warnings, annotations }
}

async function review<T, N extends Needs>(
  control: AdmissionDefinition<T, N>,
  request: AdmissionRequest<T>,
  services: Resolved<N>,
): Promise<ApiError | undefined> {
  const phases = control.phase === 'both' ? (['mutate', 'validate'] as const) : [control.phase]
  for (const phase of phases) {
    if (phase === 'validate') deepFreeze(request.object)
    try {
      const verdict = await control.review(request, services, phase)
      if (!verdict || !('rejected' in verdict)) continue
      const { message, code = 403, reason } = verdict
      return code === 403 ? forbidden(request, message) : new ApiError(code, reason ?? '', message)
    } catch (thrown) {
      if (thrown instanceof ApiError) return thrown
      throw thrown
    }
  }
  return undefined
}

const metadataName = (object: unknown) => (object as { metadata?: { name?: string } } | undefined)?.metadata?.name
