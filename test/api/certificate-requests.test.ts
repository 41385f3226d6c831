import type { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CertificateSigningRequest } from '../../plugins/certificates/certificate-signing-requests/schema.js'
import { anAuthority } from '../../plugins/certificates/testing/made-authorities.js'
import { aRequest } from '../../plugins/certificates/testing/made-requests.js'
import { requestsOf, withCertificates } from './certificate-world.js'

const requests = suite('certificate requests over HTTP')

const condition = (type: string) => ({ type, status: 'True', reason: 'Test', message: `by ${type}` })
const adding = (request: CertificateSigningRequest, type: string): CertificateSigningRequest => ({
  ...request,
  status: { ...request.status, conditions: [...(request.status?.conditions ?? []), condition(type)] },
})
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: ApiError) => `${error.code} ${error.reason}`,
  )
const typesOf = ({ status }: CertificateSigningRequest) => (status?.conditions ?? []).map(({ type }) => type)
const certificate = async () => Buffer.from((await anAuthority()).certificatePem).toString('base64')

const reading = 'get,list,watch certificatesigningrequests'
const approving = 'update,patch certificatesigningrequests/approval'
const signing = 'update,patch certificatesigningrequests/status'

requests('the server records the requesting user', async () => {
  await withCertificates(async ({ as, grant, create }) => {
    await grant('jane', 'create,get certificatesigningrequests')
    const { spec, status } = await create('a', { username: 'root', groups: ['system:masters'] }, as('jane/dev'))
    assert.equal([spec.username, spec.groups, status], ['jane', ['dev', 'system:authenticated'], {}])
    assert.is(await outcome(create('b', {}, as('bob'))), '403 Forbidden')
  })
})

/** Rules of a user, and the outcome of an approval and of a certificate from that user. */
const movers: Readonly<Record<string, { rules: string[]; approval: string; certificate: string }>> = {
  'a user without permissions': { rules: [reading], approval: '403 Forbidden', certificate: '403 Forbidden' },
  'a user who may write the approval, but not for the signer': {
    rules: [reading, approving, 'approve signers example.com/other', 'approve signers other.com/*'],
    approval: '403 Forbidden',
    certificate: '403 Forbidden',
  },
  'a user who may approve for the signer, but not write': {
    rules: [reading, 'approve signers example.com/x'],
    approval: '403 Forbidden',
    certificate: '403 Forbidden',
  },
  'an approver of the signer': {
    rules: [reading, approving, 'approve signers example.com/x'],
    approval: 'done',
    certificate: '403 Forbidden',
  },
  'an approver of the domain': {
    rules: [reading, approving, 'approve signers example.com/*'],
    approval: 'done',
    certificate: '403 Forbidden',
  },
  'a signer of another signer': {
    rules: [reading, signing, 'sign signers example.com/other'],
    approval: '403 Forbidden',
    certificate: '403 Forbidden',
  },
  'a signer of the signer': {
    rules: [reading, signing, 'sign signers example.com/x'],
    approval: '403 Forbidden',
    certificate: 'done',
  },
  'a signer of the domain': {
    rules: [reading, signing, 'sign signers example.com/*'],
    approval: '403 Forbidden',
    certificate: 'done',
  },
  'an approver who writes the status': {
    rules: [reading, approving, signing, 'approve signers example.com/x'],
    approval: 'done',
    certificate: '403 Forbidden',
  },
}
requests('each user may make the permitted changes, also in a dry run', async () => {
  await withCertificates(async ({ admin, as, grant, create }) => {
    const own = requestsOf(admin)
    let count = 0
    for (const [title, { rules, ...expected }] of Object.entries(movers)) {
      const name = `r${++count}`
      const user = `mover${count}`
      await grant(user, ...rules)
      const theirs = requestsOf(as(user))
      const pending = await create(name)
      for (const dryRun of [true, false]) {
        const approval = await outcome(theirs.updateSubresource('approval', adding(pending, 'Approved'), { dryRun }))
        assert.is(approval, expected.approval, `${title}: approval`)
      }
      if (expected.approval !== 'done') await own.updateSubresource('approval', adding(pending, 'Approved'))
      const approved = await own.get(name)
      assert.equal(typesOf(approved), ['Approved'])
      const issued = { ...approved, status: { ...approved.status, certificate: await certificate() } }
      for (const dryRun of [true, false])
        assert.is(
          await outcome(theirs.updateSubresource('status', issued, { dryRun })),
          expected.certificate,
          `${title}: certificate`,
        )
      assert.is((await own.get(name)).status?.certificate !== undefined, expected.certificate === 'done', title)
    }
  })
})

/** How a request reaches each state of the table. */
const reached: Readonly<Record<string, readonly ('Approved' | 'Denied' | 'Failed' | 'certificate')[]>> = {
  pending: [],
  approved: ['Approved'],
  denied: ['Denied'],
  failed: ['Approved', 'Failed'],
  issued: ['Approved', 'certificate'],
}
const moves = ['Approved', 'Denied', 'Failed', 'certificate'] as const
type Move = (typeof moves)[number]
/** The transitions that the table of the specification allows, by state. */
const allowedMoves: Readonly<Record<string, readonly Move[]>> = {
  pending: ['Approved', 'Denied', 'Failed'],
  approved: ['Failed', 'certificate'],
  denied: ['Failed'],
  failed: [],
  issued: [],
}
/** The paths that each user may write. */
const paths: Readonly<Record<string, readonly string[]>> = {
  stranger: [],
  requester: [],
  approver: ['approval'],
  signer: ['status'],
  administrator: ['approval', 'status'],
}
const pathOf = (move: Move) => (move === 'Approved' || move === 'Denied' ? 'approval' : 'status')

requests('from every state, every user can make the transitions of the table and no others', async () => {
  await withCertificates(async ({ admin, as, grant, create }) => {
    await grant('stranger', reading)
    await grant('requester', reading, 'create certificatesigningrequests')
    await grant('approver', reading, approving, 'approve signers example.com/x')
    await grant('signer', reading, signing, 'sign signers example.com/x')
    const own = requestsOf(admin)
    const [first, other] = [await certificate(), await certificate()]
    const moved = (request: CertificateSigningRequest, move: Move, issued: string) =>
      move === 'certificate'
        ? { ...request, status: { ...request.status, certificate: issued } }
        : adding(request, move)
    for (const [state, steps] of Object.entries(reached)) {
      let request = await create(state, {}, as('requester'))
      for (const step of steps) request = await own.updateSubresource(pathOf(step), moved(request, step, first))
      for (const [mover, mayWrite] of Object.entries(paths)) {
        const theirs = mover === 'administrator' ? own : requestsOf(as(mover))
        for (const move of moves) {
          const path = pathOf(move)
          // A dry run is validated like a real request, and keeps the state for the next user.
          const answer = await outcome(theirs.updateSubresource(path, moved(request, move, other), { dryRun: true }))
          const isAllowed = allowedMoves[state]?.includes(move)
          const expected = !mayWrite.includes(path) ? '403 Forbidden' : isAllowed ? 'done' : '422 Invalid'
          assert.is(answer, expected, `${state}, ${mover}: ${move}`)
        }
        assert.is(
          await outcome(theirs.update(request, { dryRun: true })),
          mover === 'administrator' ? 'done' : '403 Forbidden',
        )
      }
      assert.equal(
        typesOf(await own.get(state)),
        steps.filter(step => step !== 'certificate'),
        state,
      )
    }
  })
})

requests('two approvers of the same version: one wins', async () => {
  await withCertificates(async ({ admin, create }) => {
    const own = requestsOf(admin)
    for (let round = 0; round < 5; round++) {
      const pending = await create(`raced-${round}`)
      const answers = await Promise.all(
        ['Approved', 'Denied'].map(type => outcome(own.updateSubresource('approval', adding(pending, type)))),
      )
      assert.equal(answers.sort(), ['409 Conflict', 'done'])
      assert.is(typesOf(await own.get(`raced-${round}`)).length, 1)
    }
  })
})
requests('two approvers without a version: the first wins, the other gets an error', async () => {
  await withCertificates(async ({ admin, create }) => {
    const own = requestsOf(admin)
    const decide = (name: string, type: string, kind: 'merge' | 'json') => {
      const conditions = [condition(type)]
      const patch =
        kind === 'merge' ? { status: { conditions } } : [{ op: 'add', path: '/status/conditions', value: conditions }]
      return outcome(own.patch(name, patch, { type: kind, subresource: 'approval' }))
    }
    for (const kind of ['merge', 'json'] as const) {
      const name = `blind-${kind}`
      await create(name)
      const answers = await Promise.all(['Approved', 'Denied'].map(type => decide(name, type, kind)))
      assert.equal(answers.sort(), ['422 Invalid', 'done'])
      assert.is(typesOf(await own.get(name)).length, 1)
    }
  })
})
requests('an update without a version does not revert a concurrent decision', async () => {
  await withCertificates(async ({ admin, create }) => {
    const own = requestsOf(admin)
    const pending = await create('a')
    await own.updateSubresource('approval', adding(pending, 'Denied'))
    const { resourceVersion: _, ...metadata } = pending.metadata ?? {}
    const blind = adding({ ...pending, metadata }, 'Approved')
    assert.is(await outcome(own.updateSubresource('approval', blind)), '422 Invalid')
    assert.equal(typesOf(await own.get('a')), ['Denied'])
  })
})

requests('lists and watches can be filtered by signer', async () => {
  await withCertificates(async ({ admin, create }) => {
    await create('a', { signerName: 'example.com/a' })
    await create('b', { signerName: 'example.com/b' })
    const listed = await requestsOf(admin).list({ fieldSelector: 'spec.signerName=example.com/b' })
    assert.equal(
      listed.items.map(({ metadata }) => metadata?.name),
      ['b'],
    )
    const stop = new AbortController()
    const seen: string[] = []
    for await (const event of requestsOf(admin).watch({
      fieldSelector: 'spec.signerName=example.com/a',
      signal: stop.signal,
    })) {
      seen.push(`${event.type} ${event.object.metadata?.name}`)
      stop.abort()
    }
    assert.equal(seen, ['ADDED a'])
  })
})

requests('an apply can create a request, but not approve it', async () => {
  await withCertificates(async ({ admin, create }) => {
    const { apiVersion, kind, spec } = await create('template')
    const { request, signerName, usages } = spec
    const sent = { apiVersion, kind, metadata: { name: 'applied' }, spec: { request, signerName, usages } }
    const applied = { ...sent, status: { conditions: [condition('Approved')] } } as CertificateSigningRequest
    const created = await requestsOf(admin).apply(applied, { fieldManager: 'tool' })
    assert.equal([created.spec.username, typesOf(created)], ['test-administrator', []])
  })
})

requests('the client signer does not issue certificates for system:masters', async () => {
  await withCertificates(async ({ as, grant, create }) => {
    const { pem } = await aRequest({ organizations: ['system:masters'] })
    const request = Buffer.from(pem).toString('base64')
    await grant('jane', 'create certificatesigningrequests')
    const asking = (signerName: string) => outcome(create('m', { request, signerName }, as('jane')))
    assert.is(await asking('acme.test/apiserver-client'), '403 Forbidden')
    assert.is(await asking('example.com/own-trust'), 'done')
  })
})
requests.run()
