import { orchProfile, Vendor } from 'orch/sdk'
import type { Namespace } from 'orch/sdk/core'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namespaceNames } from '../names.js'
import { deletion, finalizeStrategy, statusStrategy } from './resource.js'
import { mainStrategy } from './strategy.js'

const strategies = suite('strategies of namespaces')
const names = namespaceNames(new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test' }))

strategies('a new namespace is active, has the finalizer of the server and its name as a label', () => {
  const draft: Namespace = { metadata: { name: 'town' }, status: { phase: 'Terminating' } }
  stepsOf(mainStrategy(names)).prepareForCreate(draft)
  assert.equal(draft, {
    metadata: { name: 'town', labels: { 'acme.test/metadata.name': 'town' } },
    spec: { finalizers: ['acme'] },
    status: { phase: 'Active' },
  })
})

strategies('a new namespace keeps the finalizers it was sent with', () => {
  const draft: Namespace = { metadata: { name: 'town' }, spec: { finalizers: ['acme', 'a.test/b'] } }
  stepsOf(mainStrategy(names)).prepareForCreate(draft)
  assert.equal(draft.spec?.finalizers, ['acme', 'a.test/b'])
})

const stored: Namespace = { spec: { finalizers: ['acme'] }, status: { phase: 'Active' } }
const sent = (): Namespace => ({ spec: { finalizers: [] }, status: { phase: 'Terminating' } })

strategies('the main path writes neither finalizers nor status', () => {
  const draft = sent()
  stepsOf(mainStrategy(names)).prepareForUpdate(draft, stored)
  assert.equal(draft, stored)
})

strategies('the status path writes no finalizers', () => {
  const draft = sent()
  stepsOf(statusStrategy).prepareForUpdate(draft, stored)
  assert.equal(draft, { spec: stored.spec, status: { phase: 'Terminating' } })
})

strategies('the finalize path writes no status', () => {
  const draft = sent()
  finalizeStrategy(names).prepareForUpdate(draft, stored)
  assert.equal(draft, { spec: { finalizers: [] }, status: stored.status })
})

strategies('the phase is Active until deletion and Terminating after it', () => {
  const wrong = (namespace: Namespace) =>
    stepsOf(statusStrategy)
      .validateUpdate(namespace)
      .map(error => error.field)
  assert.equal(wrong({ status: { phase: 'Terminating' } }), ['status.Phase'])
  assert.equal(wrong({ metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' }, status: { phase: 'Active' } }), [
    'status.Phase',
  ])
  assert.equal(wrong({ status: { phase: 'Active' } }), [])
})

strategies('a finalizer is qualified or known', () => {
  const wrong = (finalizers: string[]) =>
    finalizeStrategy(names)
      .validateUpdate({ spec: { finalizers } })
      .map(error => error.field)
  assert.equal(wrong(['acme', 'orphan', 'a.test/b']), [])
  assert.equal(wrong(['acme', 'unknown']), ['spec.finalizers[1]'])
})

strategies('a deleted namespace is terminating, and kept by its finalizers', () => {
  const draft: Namespace = { metadata: { deletionGracePeriodSeconds: 0 }, ...stored, spec: { finalizers: ['acme'] } }
  deletion.onDeletionStart(draft)
  assert.equal(draft, { metadata: {}, spec: { finalizers: ['acme'] }, status: { phase: 'Terminating' } })
  assert.is(deletion.blocksDeletion(draft), true)
  assert.is(deletion.blocksDeletion({ spec: {} }), false)
})

strategies.run()
