import { Agent, request } from 'node:https'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { testAuthority } from '../testing/index.js'
import { patchBetween, patchPath } from './patch-between.js'
import { allowChanged, allowRequest, answerReview, denyRequest, type WebhookRequest } from './webhook-review.js'
import { startWebhookServer } from './webhook-server.js'

const review = (request: object) =>
  JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.acme.test/v1', request: { uid: 'u1', ...request } })
const decode = (patch: string) => JSON.parse(Buffer.from(patch, 'base64').toString('utf8'))

const helper = suite('the helper for webhook authors')

helper('answers in the version it was asked in, with the uid of the request', async () => {
  const answer = JSON.parse(await answerReview(review({ object: {} }), () => allowRequest({ warnings: ['careful'] })))
  assert.equal(answer, {
    kind: 'AdmissionReview',
    apiVersion: 'admission.acme.test/v1',
    response: { uid: 'u1', allowed: true, warnings: ['careful'] },
  })
})
helper('turns changes of the object into a patch', async () => {
  const change = (request: WebhookRequest<{ spec?: { size?: number } }>) =>
    allowChanged(request, draft => {
      draft.spec ??= {}
      draft.spec.size = 3
    })
  const { response } = JSON.parse(await answerReview(review({ object: { kind: 'Widget' } }), change))
  assert.is(response.patchType, 'JSONPatch')
  assert.equal(decode(response.patch), [{ op: 'add', path: '/spec', value: { size: 3 } }])
})
helper('sends no patch when nothing changes, nor for a deletion', async () => {
  const touch = (request: WebhookRequest<{ size: number }>) => allowChanged(request, draft => void (draft.size = 1))
  for (const object of [{ size: 1 }, null]) {
    const { response } = JSON.parse(await answerReview(review({ object }), touch))
    assert.equal(response, { uid: 'u1', allowed: true })
  }
})
helper('denies with 403 unless told otherwise', async () => {
  const denied = async (...given: Parameters<typeof denyRequest>) =>
    JSON.parse(await answerReview(review({}), () => denyRequest(...given))).response.status
  assert.equal(await denied('no'), { code: 403, message: 'no', reason: 'Forbidden' })
  assert.equal(await denied('no', { code: 422 }), { code: 422, message: 'no' })
})
helper('rejects a body that is not a review', async () => {
  for (const body of ['', '[]', '{"kind":"Pod"}', review({ uid: 7 })]) {
    let refused = false
    await answerReview(body, () => allowRequest()).catch(() => (refused = true))
    assert.ok(refused, body)
  }
})
helper('escapes path segments', () => assert.is(patchPath('a/b', 'c~d', 0), '/a~1b/c~0d/0'))
helper('changes lists where they differ', () => {
  assert.equal(patchBetween([1, 2, 3], [1, 9, 3]), [{ op: 'replace', path: '/1', value: 9 }])
  assert.equal(patchBetween(['a', 'z'], ['a', 'b', 'z']), [{ op: 'add', path: '/1', value: 'b' }])
  assert.equal(patchBetween(['a', 'b', 'z'], ['z']), [
    { op: 'remove', path: '/1' },
    { op: 'remove', path: '/0' },
  ])
})

helper('consecutive reviews use one connection, however large they and their responses are', async () => {
  const { certificatePem, keyPem } = await (await testAuthority()).server()
  const text = 'x'.repeat(100_000)
  const large = (asked: WebhookRequest<{ text?: string }>) =>
    allowChanged(asked, draft => void (draft.text = text.slice(1)))
  const server = await startWebhookServer({ certificatePem, keyPem, handlers: { '/large': large } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  const ask = () =>
    new Promise<boolean>((resolve, reject) => {
      const sent = request(`${server.url}/large`, { method: 'POST', agent }, response => {
        response.resume().on('error', reject)
        response.on('end', () => resolve(sent.reusedSocket))
      })
      sent.on('error', reject)
      sent.end(review({ object: { text } }))
    })
  try {
    assert.not(await ask())
    for (let count = 1; count < 400; count++) assert.ok(await ask(), `another connection after ${count} reviews`)
  } finally {
    agent.destroy()
    await server.close()
  }
})

helper.run()
