import { type AdmissionRequest, type ApiObject, defineAdmission, internalError, reinvoke, type Verdict } from 'orch/sdk'
import { copyJson, sameJson } from 'orch/sdk/validation'
import type { Candidate } from '../matching/webhook-snapshot.js'
import type { WebhookNames } from '../names.js'
import { ReviewText } from '../reviews/admission-review.js'
import { mutatingWebhooks } from './webhook-services.js'
import type { Webhooks } from './webhooks.js'

/** What happened in the first round, for the second one. */
interface FirstRound {
  /** Of one moment: a configuration that changes meanwhile counts for the next request. */
  readonly candidates: readonly Candidate[]
  /** Webhooks called so far, to be called again if the object is changed after them. */
  readonly watching: Set<string>
  readonly callAgain: Set<string>
  result: ApiObject | undefined
}
const firstRounds = new WeakMap<AdmissionRequest, FirstRound>()

/** Asks the mutating webhooks that match, one after another; each sees what those before it made of the object. */
export const mutatingAdmissionWebhook = (names: WebhookNames) =>
  defineAdmission()({
    name: 'MutatingAdmissionWebhook',
    stage: 'webhooks',
    phase: 'mutate',
    // Webhooks with side effects refuse dry runs one by one.
    sideEffects: 'none',
    matches: { subresource: '*' },
    needs: { webhooks: mutatingWebhooks },
    review(request, { webhooks }) {
      if (request.reinvoked) return callAgain(request, webhooks, names)
      const candidates = webhooks.candidates(request)
      const start = (found: readonly Candidate[]) => callFirst(request, found, webhooks, names)
      if (!candidates) return webhooks.ready().then(() => start(webhooks.candidates(request) ?? []))
      if (candidates.length > 0) return start(candidates)
    },
  })

async function callFirst(
  request: AdmissionRequest,
  candidates: readonly Candidate[],
  webhooks: Webhooks,
  names: WebhookNames,
): Promise<Verdict> {
  const round: FirstRound = { candidates, watching: new Set(), callAgain: new Set(), result: undefined }
  firstRounds.set(request, round)
  let isChanged = false
  for (const candidate of candidates) {
    if (!(await webhooks.isSelected(candidate, request))) continue
    if (await callOne(candidate, request, webhooks, names, 0)) {
      isChanged = true
      alert(round)
    }
    if (candidate.webhook.isCalledAgain) round.watching.add(candidate.webhook.id)
  }
  if (!isChanged) return
  // Only needed for webhooks that are called again: whether the object was changed after them.
  if (round.watching.size > 0) round.result = copyJson(request.object)
  return reinvoke
}

/** The second round: only webhooks of the first that ask for it, and only if others changed the object after them. */
async function callAgain(request: AdmissionRequest, webhooks: Webhooks, names: WebhookNames): Promise<void> {
  const round = firstRounds.get(request)
  if (!round) return
  if (round.watching.size > 0 && !sameJson(round.result, request.object)) alert(round)
  for (const candidate of round.candidates) {
    if (!round.callAgain.has(candidate.webhook.id) || !(await webhooks.isSelected(candidate, request))) continue
    // What is changed now is news to those further down the list; those before have had their second turn.
    if (await callOne(candidate, request, webhooks, names, 1)) alert(round)
  }
}

/** Everyone called so far has not seen the object as it is now. */
function alert({ watching, callAgain: again }: FirstRound): void {
  for (const id of watching) again.add(id)
  watching.clear()
}

/** Returns whether the webhook changed the object. */
async function callOne(
  candidate: Candidate,
  request: AdmissionRequest,
  webhooks: Webhooks,
  names: WebhookNames,
  round: number,
): Promise<boolean> {
  const { webhook, as, index } = candidate
  const place = `round_${round}_index_${index}`
  const about = (what: object) => () =>
    JSON.stringify({ configuration: webhook.configurationName, webhook: webhook.name, ...what })
  let isChanged = false
  try {
    await request.served.prepare(as)
    const answer = await webhooks.ask(candidate, request, new ReviewText(request, as), round)
    const patch = answer?.patch === undefined ? [] : readPatch(candidate, request, answer.patch)
    if (patch.length === 0) return false
    isChanged = await request.served.patchObject(as, patch)
    request.annotate(`${names.patchAnnotation}/${place}`, about({ patch, patchType: 'JSONPatch' }), 'Request')
    return isChanged
  } finally {
    request.annotate(`${names.mutationAnnotation}/${place}`, about({ mutated: isChanged }))
  }
}

/** A patch that cannot be read or does not fit fails the request, whatever the failure policy: the webhook was reached. */
function readPatch({ webhook }: Candidate, request: AdmissionRequest, text: string): unknown[] {
  let patch: unknown
  try {
    patch = JSON.parse(text)
  } catch {
    // What the parser says quotes the patch, which may be that of a Secret.
    throw internalError(`the patch of admission webhook ${JSON.stringify(webhook.name)} is not JSON`)
  }
  if (!Array.isArray(patch))
    throw internalError(`the patch of admission webhook ${JSON.stringify(webhook.name)} is not a list of operations`)
  if (patch.length > 0 && !request.object)
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    )
  return patch
}
