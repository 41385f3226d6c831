import type { PodSpec } from 'orch/sdk/core'
import { admit, fakeCollections } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PriorityClass } from '../priority-classes/schema.js'
import { acmeNames, aPod } from '../testing/acme.js'
import { priority } from './priority.js'

const control = priority(acmeNames)
const collection = 'priorityclasses.scheduling.api.acme.test'
const aClass = (name: string, value: number, more: Partial<PriorityClass> = {}): PriorityClass => ({
  metadata: { name },
  value,
  preemptionPolicy: 'PreemptLowerPriority',
  ...more,
})
const high = aClass('high', 1000)
const patient = aClass('patient', 5, { preemptionPolicy: 'Never' })
const server = (...classes: PriorityClass[]) => fakeCollections({ [collection]: [high, patient, ...classes] })

const created = async (spec: Partial<PodSpec>, ...classes: PriorityClass[]) => {
  const { object, refusal } = await admit(control, { object: aPod(spec) }, server(...classes))
  const { priorityClassName, priority: value, preemptionPolicy } = (object as ReturnType<typeof aPod>).spec
  return refusal ? refusal.reason : [priorityClassName, value, preemptionPolicy]
}

const pods = suite('priority of Pods')

const cases: Record<string, [spec: Partial<PodSpec>, outcome: unknown]> = {
  'is that of the class': [{ priorityClassName: 'high' }, ['high', 1000, 'PreemptLowerPriority']],
  'comes with the preemption of the class': [{ priorityClassName: 'patient' }, ['patient', 5, 'Never']],
  'is zero without a class': [{}, [undefined, 0, 'PreemptLowerPriority']],
  'may be stated, if it is the right one': [
    { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'PreemptLowerPriority' },
    ['high', 1000, 'PreemptLowerPriority'],
  ],
  'must be that of the class': [{ priorityClassName: 'high', priority: 7 }, 'Forbidden'],
  'cannot be chosen without a class': [{ priority: 7 }, 'Forbidden'],
  'does not allow another preemption policy': [{ priorityClassName: 'high', preemptionPolicy: 'Never' }, 'Forbidden'],
  'needs a class that exists': [{ priorityClassName: 'missing' }, 'Forbidden'],
}
for (const [title, [spec, outcome]] of Object.entries(cases))
  pods(title, async () => {
    assert.equal(await created(spec), outcome)
  })

pods('is that of the default class, which is then named; of several, the lowest', async () => {
  const usual = aClass('usual', 10, { globalDefault: true })
  const eager = aClass('eager', 20, { globalDefault: true })
  assert.equal(await created({}, eager, usual), ['usual', 10, 'PreemptLowerPriority'])
})
pods('is read from the store if the class is not cached yet', async () => {
  const services = fakeCollections({}, { [collection]: [high] })
  const { refusal } = await admit(control, { object: aPod({ priorityClassName: 'high' }) }, services)
  assert.is(refusal, undefined)
})
pods('is kept on an update that omits it, even if the class was deleted', async () => {
  const oldObject = aPod({ priorityClassName: 'gone', priority: 3, preemptionPolicy: 'Never' })
  const object = aPod({ priorityClassName: 'gone' })
  const update = { operation: 'update', object, oldObject } as const
  assert.equal((await admit(control, update, server())).object, oldObject)
})
pods('is the same on a dry run', async () => {
  const request = { object: aPod({ priorityClassName: 'missing' }), dryRun: true }
  assert.is((await admit(control, request, server())).refusal?.code, 403)
})
pods.run()

const classes = suite('the default priority class')
const usual = aClass('usual', 10, { globalDefault: true })
const write = (object: PriorityClass, operation: 'create' | 'update', ...stored: PriorityClass[]) => {
  const where = { group: acmeNames.schedulingGroup, resource: 'priorityclasses', namespace: '' }
  return admit(
    control,
    { ...where, operation, object, oldObject: object },
    fakeCollections({}, { [collection]: stored }),
  )
}
classes('may be created when there is none', async () => {
  assert.is((await write(usual, 'create', high)).refusal, undefined)
})
classes('is only one', async () => {
  const second = aClass('second', 1, { globalDefault: true })
  assert.is((await write(second, 'create', usual)).refusal?.code, 403)
  assert.is((await write(second, 'update', usual)).refusal?.code, 403)
  assert.is((await write(usual, 'create', usual)).refusal?.code, 403)
})
classes('can be updated, and does not prevent other classes', async () => {
  assert.is((await write(usual, 'update', usual)).refusal, undefined)
  assert.is((await write(high, 'create', usual)).refusal, undefined)
})
classes('of the system cannot be deleted, not even in a dry run; others can', async () => {
  const where = {
    group: acmeNames.schedulingGroup,
    resource: 'priorityclasses',
    namespace: '',
    operation: 'delete',
  } as const
  const remove = (name: string, dryRun = false) =>
    admit(control, { ...where, oldObject: aClass(name, 1), pathName: name, dryRun }, fakeCollections({}))
  for (const dryRun of [false, true]) assert.is((await remove('system-node-critical', dryRun)).refusal?.code, 403)
  assert.is((await remove('usual')).refusal, undefined)
})
classes.run()
