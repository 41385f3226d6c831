import { type AdmissionRequest, defineAdmission, type ServedType } from 'orch/sdk'
import type { Candidate } from '../matching/webhook-snapshot.js'
import { ReviewText } from '../reviews/admission-review.js'
import { validatingWebhooks } from './webhook-services.js'
import type { Webhooks } from './webhooks.js'

/** Calls all matching validating webhooks concurrently; one denial is enough. */
export const validatingAdmissionWebhook = defineAdmission()({
  name: 'ValidatingAdmissionWebhook',
  stage: 'webhooks',
  after: ['MutatingAdmissionWebhook'],
  phase: 'validate',
  // Dry runs are rejected per webhook, for those with side effects.
  sideEffects: 'none',
  matches: { subresource: '*' },
  needs: { webhooks: validatingWebhooks },
  review(request, { webhooks }) {
    const candidates = webhooks.candidates(request)
    if (!candidates) return webhooks.ready().then(() => validate(request, webhooks.candidates(request) ?? [], webhooks))
    if (candidates.length > 0) return validate(request, candidates, webhooks)
  },
})

async function validate(
  request: AdmissionRequest,
  candidates: readonly Candidate[],
  webhooks: Webhooks,
): Promise<void> {
  const texts = new Map<ServedType, ReviewText>()
  const textFor = (as: ServedType) => {
    let text = texts.get(as)
    if (!text) texts.set(as, (text = new ReviewText(request, as)))
    return text
  }
  const isWanted = await Promise.all(candidates.map(candidate => webhooks.isSelected(candidate, request)))
  // Annotations count the webhooks that are called.
  const wanted = candidates.filter((_, i) => isWanted[i]).map((candidate, index) => ({ ...candidate, index }))
  for (const as of new Set(wanted.map(candidate => candidate.as))) await request.served.prepare(as)
  // All are called before a denial is thrown: their warnings and annotations belong to the response.
  const refusals: unknown[] = []
  const accept = () => {}
  const call = (candidate: Candidate) => webhooks.ask(candidate, request, textFor(candidate.as), 0, accept)
  await Promise.all(wanted.map(candidate => call(candidate).catch(reason => void refusals.push(reason))))
  if (refusals.length > 0) throw refusals[0]
}
