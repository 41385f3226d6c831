import { generateKeyPairSync, sign } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anAuthority } from '../testing/made-authorities.js'
import type { PodCertificateRequest } from './schema.js'
import { validateOutcome, validateRequest, validateRequestUpdate } from './validation.js'

const requests = suite('requests for certificates of Pods')
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const base64 = (bytes: Buffer) => bytes.toString('base64')
const podUid = 'pod-uid'
const aRequest = (spec: Partial<PodCertificateRequest['spec']> = {}): PodCertificateRequest => ({
  metadata: { name: 'r', namespace: 'n' },
  spec: {
    signerName: 'example.com/pods',
    podName: 'p',
    podUID: podUid,
    serviceAccountName: 's',
    serviceAccountUID: 'sa-uid',
    nodeName: 'n',
    nodeUID: 'node-uid',
    maxExpirationSeconds: 86_400,
    pkixPublicKey: base64(publicKey.export({ format: 'der', type: 'spki' })),
    proofOfPossession: base64(sign(null, Buffer.from(podUid), privateKey)),
    ...spec,
  },
  status: {},
})
const now = Date.parse('2026-01-01T00:00:00Z')
const fieldsOf = (errors: readonly { field: string }[]) => errors.map(({ field }) => field)
const isOwnSigner = (name: string) => name.startsWith('own.')

const cases: Record<string, { spec: Partial<PodCertificateRequest['spec']>; wrong: string[] }> = {
  'with a key and the proof that it is theirs': { spec: {}, wrong: [] },
  'of 91 days, but for own signers': { spec: { maxExpirationSeconds: 91 * 86_400 }, wrong: [] },
  'with too long a lifetime': {
    spec: { maxExpirationSeconds: 2 * 86_400, signerName: 'own.example.com/pods' },
    wrong: ['spec.maxExpirationSeconds'],
  },
  'of another Pod': { spec: { podUID: 'other' }, wrong: ['spec.proofOfPossession'] },
  'without a proof': { spec: { proofOfPossession: '' }, wrong: ['spec'] },
  'in two forms': { spec: { stubPKCS10Request: 'AAAA' }, wrong: ['spec'] },
  'of a Pod without a UID': { spec: { podUID: '' }, wrong: ['spec.podUID', 'spec.proofOfPossession'] },
  'with an invalid key': { spec: { pkixPublicKey: 'AAAA' }, wrong: ['spec.pkixPublicKey'] },
}
for (const [title, { spec, wrong }] of Object.entries(cases))
  requests(title, async () => {
    assert.equal(fieldsOf(await validateRequest(aRequest(spec), isOwnSigner)), wrong)
  })

requests('do not change', () => {
  assert.equal(fieldsOf(validateRequestUpdate(aRequest({ podName: 'q' }), aRequest())), ['spec'])
})

const condition = (type: string) => ({
  type,
  status: 'True',
  reason: 'Because',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
})
const withStatus = (status: PodCertificateRequest['status']): PodCertificateRequest => ({ ...aRequest(), status })

requests('have one outcome, which is immutable', async () => {
  const denied = withStatus({ conditions: [condition('Denied')] })
  assert.equal(await validateOutcome(denied, aRequest(), now), [])
  const both = withStatus({ conditions: [condition('Denied'), condition('Failed')] })
  assert.equal(fieldsOf(await validateOutcome(both, aRequest(), now)), ['status.conditions.[1].type'])
  assert.equal(fieldsOf(await validateOutcome(aRequest(), denied, now)), ['status'])
  const withChain = withStatus({ conditions: [condition('Denied')], certificateChain: 'x' })
  assert.equal(fieldsOf(await validateOutcome(withChain, aRequest(), now)), ['status'])
})

requests('are issued for the requested key', async () => {
  const { certificatePem } = await anAuthority()
  const issued = (certificateChain: string) => withStatus({ conditions: [condition('Issued')], certificateChain })
  for (const chain of ['', 'x', certificatePem])
    assert.equal(fieldsOf(await validateOutcome(issued(chain), aRequest(), now)), ['status.certificateChain'])
})

requests.run()
