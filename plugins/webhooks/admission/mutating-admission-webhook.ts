import {
  type AdmissionRequest,
  type ApiObject,
  defineAdmission,
  internalError,
  isRecord,
  reinvoke,
  type Verdict,
} from 'orch/sdk'
import { copyJson, sameJson } from 'orch/sdk/validation'
import { CallFailure } from '../calling/call-failure.js'
import { brokenPatchesAreFailures } from '../differences.js'
import type { Candidate } from '../matching/webhook-snapshot.js'
import type { WebhookNames } from '../names.js'
import { ReviewText } from '../reviews/admission-review.js'
import type { ReviewAnswer } from '../reviews/review-answer.js'
import { mutatingWebhooks } from './webhook-services.js'
import type { Webhooks } from './webhooks.js'

/** State that the first round leaves for the second. */
interface FirstRound {
  /** From one snapshot: configurations that change meanwhile take effect with the next request. */
  readonly candidates: readonly Candidate[]
  /** Webhooks called so far, to be called again if the object is changed after them. */
  readonly watching: Set<string>
  readonly callAgain: Set<string>
  result: ApiObject | undefined
}
const firstRounds = new WeakMap<AdmissionRequest, FirstRound>()

/** Calls the matching mutating webhooks one after another; each sees the changes of those before it. */
export const mutatingAdmissionWebhook = (names: WebhookNames) =>
  defineAdmission()({
    name: 'MutatingAdmissionWebhook',
    stage: 'webhooks',
    phase: 'mutate',
    // Dry runs are rejected per webhook, for those with side effects.
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
      markForReinvocation(round)
    }
    if (candidate.webhook.isCalledAgain) round.watching.add(candidate.webhook.id)
  }
  // Only needed to detect whether the object was changed after webhooks that want to be called again. Others may ask for the
  // second round.
  if (round.watching.size > 0) round.result = copyJson(request.object)
  if (isChanged) return reinvoke
}

/** The second round: only webhooks with `reinvocationPolicy: IfNeeded`, and only if the object has changed since they ran. */
async function callAgain(request: AdmissionRequest, webhooks: Webhooks, names: WebhookNames): Promise<void> {
  const round = firstRounds.get(request)
  if (!round) return
  if (round.watching.size > 0 && !sameJson(round.result, request.object)) markForReinvocation(round)
  for (const candidate of round.candidates) {
    if (!round.callAgain.has(candidate.webhook.id) || !(await webhooks.isSelected(candidate, request))) continue
    // Later webhooks have not seen this change; earlier ones are not called a third time.
    if (await callOne(candidate, request, webhooks, names, 1)) markForReinvocation(round)
  }
}

/** Marks all webhooks called so far: they have not seen the latest change. */
function markForReinvocation({ watching, callAgain: again }: FirstRound): void {
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
    const read = ({ patch }: ReviewAnswer) => (patch === undefined ? [] : readPatch(patch, candidate, names))
    const patch = (await webhooks.ask(candidate, request, new ReviewText(request, as), round, read)) ?? []
    if (patch.length === 0) return false
    if (!request.object)
      throw internalError(
        `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
      )
    isChanged = await request.served.patchObject(as, patch)
    request.annotate(`${names.patchAnnotation}/${place}`, about({ patch, patchType: 'JSONPatch' }), 'Request')
    return isChanged
  } finally {
    request.annotate(`${names.mutationAnnotation}/${place}`, about({ mutated: isChanged }))
  }
}

/** Reads a list of operations. Whether they fit the object shows when they are applied: then the request fails in any case. */
function readPatch(text: string, { webhook }: Candidate, { level }: WebhookNames): readonly unknown[] {
  let patch: unknown
  try {
    patch = JSON.parse(text) ?? []
  } catch {
    // The parser's message quotes the patch, which may be that of a Secret.
    patch = undefined
  }
  if (Array.isArray(patch) && patch.every(operation => operation === null || isRecord(operation))) return patch
  const problem = 'is not a list of operations in JSON'
  if (level.has(brokenPatchesAreFailures))
    throw new CallFailure(`the patch in the response ${problem}`, { status: 503 })
  throw internalError(`the patch of admission webhook ${JSON.stringify(webhook.name)} ${problem}`)
}
