import { type AdmissionRequest, defineAdmission, type Rejection, reject, services } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { isQualifiedName } from 'orch/sdk/validation'
import type { ImageDecision } from '../image-policy.js'
import { imagePolicy } from '../image-policy-services.js'
import { reviewSpec } from '../image-review.js'
import type { ImagePolicyNames } from '../names.js'
import { controlName } from '../settings.js'

/** A backend decides which images may run. */
export const imagePolicyWebhook = ({ annotationMark, auditPrefix }: ImagePolicyNames) =>
  defineAdmission<Pod>()({
    name: controlName,
    after: ['AlwaysPullImages'],
    phase: 'validate',
    // The backend only decides; it has no side effects.
    sideEffects: 'none',
    enabledByDefault: false,
    matches: {
      group: '',
      resource: 'pods',
      // Ephemeral containers have images as well.
      subresource: ['', 'ephemeralcontainers'],
      operations: ['create', 'update'],
    },
    needs: { policy: imagePolicy, logger: services.logger },
    async review(request, { policy, logger }) {
      const spec = reviewSpec(request.object, request.subresource, request.namespace, annotationMark)
      request.releaseLock()
      let decision: ImageDecision
      try {
        decision = await policy.decide(spec)
      } catch (failure) {
        const { message } = failure as Error
        const { isAllowedByDefault } = policy.settings
        logger.warn('the image policy backend gave no usable answer', { error: message, isAllowedByDefault })
        if (!isAllowedByDefault) return reject(message)
        return request.annotate(`${auditPrefix}failed-open`, 'true')
      }
      return conclude(decision, request, auditPrefix)
    },
  })

function conclude(
  { isAllowed, reason, auditAnnotations }: ImageDecision,
  request: AdmissionRequest<Pod>,
  auditPrefix: string,
): Rejection | undefined {
  for (const [name, value] of Object.entries(auditAnnotations)) {
    const key = auditPrefix + name
    if (isQualifiedName(key).length === 0) request.annotate(key, value)
  }
  if (isAllowed) return undefined
  return reject(
    reason === ''
      ? 'one or more images rejected by webhook backend'
      : `image policy webhook backend denied one or more images: ${reason}`,
  )
}
