import type { ApiObject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Behavior, Rule } from './behavior.js'
import { ExactTimes } from './exact-times.js'
import { findBehavior } from './find-behavior.js'
import { stepPod, type stopped } from './pod-run.js'

const running = suite('the life cycle of a simulated Pod')
type StoredPod = ApiObject & Pod
const container = (name: string) => ({ name, image: `${name}:1` }) as Pod['spec']['containers'][number]
const aPod = (spec: Partial<Pod['spec']> = {}, metadata: StoredPod['metadata'] = {}): StoredPod => ({
  metadata: { name: 'p', namespace: 'town', uid: 'u-1', ...metadata },
  spec: { containers: [container('main')], restartPolicy: 'Always', ...spec } as Pod['spec'],
})

/** A Pod on a node, with a clock that the test advances. */
function live(pod: StoredPod, behavior: Behavior) {
  const times = new ExactTimes()
  let now = Date.parse('2024-01-01T00:00:00.700Z')
  let wakeAt: number | undefined
  const look = () => {
    const step = stepPod(pod, behavior, {
      now,
      hostIP: '172.16.0.1',
      takeAddress: () => '10.64.0.9',
      exactly: (what, timestamp) => times.get('u-1', what) ?? Date.parse(timestamp ?? ''),
      note: what => times.set('u-1', what, now),
    })
    pod.status = step.status
    wakeAt = step.wakeAt
    return step.status
  }
  return {
    look,
    pass(ms: number) {
      now += ms
      return look()
    },
    /** To the next moment at which something changes by itself. */
    next() {
      now = Math.max(now, wakeAt ?? now)
      return look()
    },
    get waitMs() {
      return wakeAt === undefined ? undefined : wakeAt - now
    },
  }
}
const main = (status: ReturnType<typeof stopped>) => status.containerStatuses?.[0]
const isTrue = (status: ReturnType<typeof stopped>, type: string) =>
  status.conditions?.find(one => one.type === type)?.status === 'True'

running('a Pod with thousands of containers takes time in proportion to them', () => {
  const cpuOf = (count: number) => {
    const life = live(aPod({ containers: Array.from({ length: count }, (_, i) => container(`c${i}`)) }), {})
    life.look()
    const before = process.cpuUsage()
    assert.is(life.look().containerStatuses?.length, count)
    return process.cpuUsage(before).user
  }
  cpuOf(1000)
  assert.ok(cpuOf(32_000) < 1_000_000, 'a search for each container would take seconds')
})

running('without a rule it runs and is ready at once, and stays so', () => {
  const life = live(aPod(), {})
  const status = life.look()
  assert.is(status.phase, 'Running')
  assert.equal([status.podIP, status.hostIP, status.podIPs], ['10.64.0.9', '172.16.0.1', [{ ip: '10.64.0.9' }]])
  assert.equal(
    ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(type => isTrue(status, type)),
    [true, true, true, true],
  )
  assert.equal([main(status)?.ready, main(status)?.started, main(status)?.restartCount], [true, true, 0])
  assert.is(status.startTime, '2024-01-01T00:00:00Z')
  assert.is(life.waitMs, undefined)
  assert.equal(life.pass(60_000), status)
})

running('it starts and becomes ready after the delays of its rule, to the millisecond', () => {
  const life = live(aPod(), { startAfter: '1500ms', readyAfter: '300ms' })
  assert.equal([life.look().phase, main(life.look())?.state?.waiting?.reason], ['Pending', 'ContainerCreating'])
  assert.is(life.look().podIP, undefined)
  assert.is(life.waitMs, 1500)
  assert.equal([life.next().phase, isTrue(life.look(), 'Ready')], ['Running', false])
  assert.is(
    life.look().conditions?.find(({ type }) => type === 'Ready')?.message,
    'containers with unready status: [main]',
  )
  assert.is(life.waitMs, 300)
  assert.is(isTrue(life.next(), 'Ready'), true)
})

running('the status shows a Pod that never becomes ready, and one that never starts', () => {
  const never = live(aPod(), { ready: false }).look()
  assert.equal([never.phase, isTrue(never, 'ContainersReady')], ['Running', false])
  const stuck = live(aPod(), { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } })
  assert.equal(main(stuck.look())?.state, { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } })
  assert.equal([stuck.pass(3600_000).phase, stuck.waitMs], ['Pending', undefined])
})

const ends: Record<string, [policy: string, exitCode: number, phase: string]> = {
  'a container that succeeds and is not restarted makes it succeed': ['Never', 0, 'Succeeded'],
  'a container that fails and is not restarted makes it fail': ['Never', 3, 'Failed'],
  'a container that succeeds is not restarted on failure': ['OnFailure', 0, 'Succeeded'],
}
for (const [title, [restartPolicy, exitCode, phase]] of Object.entries(ends))
  running(title, () => {
    const life = live(aPod({ restartPolicy }), { runFor: '2s', exitCode })
    assert.is(life.look().phase, 'Running')
    assert.is(life.waitMs, 2000)
    const status = life.next()
    assert.equal([status.phase, isTrue(status, 'Ready'), life.waitMs], [phase, false, undefined])
    assert.is(main(status)?.state?.terminated?.exitCode, exitCode)
    assert.is(main(status)?.state?.terminated?.reason, exitCode === 0 ? 'Completed' : 'Error')
  })

running(
  'a container that is restarted backs off longer each time, and keeps running after as many restarts as its rule says',
  () => {
    const life = live(aPod(), { runFor: '1s', exitCode: 1, restarts: 3, restartBackoff: '2s', reason: 'OOMKilled' })
    life.look()
    const first = life.next()
    assert.equal([main(first)?.restartCount, main(first)?.state?.running !== undefined], [1, true], 'the first at once')
    assert.is(main(first)?.lastState?.terminated?.reason, 'OOMKilled')
    const second = life.next()
    assert.is(main(second)?.state?.waiting?.reason, 'CrashLoopBackOff')
    assert.match(
      main(second)?.state?.waiting?.message ?? '',
      'back-off 2s restarting failed container=main pod=p_town(u-1)',
    )
    assert.equal([second.phase, isTrue(second, 'Ready'), life.waitMs], ['Running', false, 2000])
    assert.is(main(life.next())?.restartCount, 2)
    life.next()
    assert.is(life.waitMs, 4000)
    assert.equal([main(life.next())?.restartCount, isTrue(life.look(), 'Ready'), life.waitMs], [3, true, undefined])
  },
)

running(
  'init containers run one after the other before the others, and the Pod fails with one that may not be restarted',
  () => {
    const initContainers = [container('one'), container('two')]
    const life = live(aPod({ initContainers }), { containers: { two: { runFor: '1s' } } })
    const status = life.look()
    assert.equal([status.phase, isTrue(status, 'Initialized')], ['Pending', false])
    assert.equal(
      status.initContainerStatuses?.map(({ state }) => Object.keys(state ?? {})[0]),
      ['terminated', 'running'],
    )
    assert.is(main(status)?.state?.waiting?.reason, 'PodInitializing')
    assert.equal([life.next().phase, isTrue(life.look(), 'Initialized')], ['Running', true])
    const failing = live(aPod({ initContainers, restartPolicy: 'Never' }), { containers: { one: { exitCode: 2 } } })
    assert.is(failing.look().phase, 'Failed')
  },
)

running('it fails when its active deadline is exceeded', () => {
  const life = live(aPod({ activeDeadlineSeconds: 5 }), {})
  life.look()
  assert.is(life.waitMs, 5000)
  const status = life.next()
  assert.equal(
    [status.phase, status.reason, main(status)?.state?.terminated?.exitCode],
    ['Failed', 'DeadlineExceeded', 143],
  )
})

running('a readiness gate keeps it from being ready until its condition is true', () => {
  const pod = aPod({ readinessGates: [{ conditionType: 'acme.test/open' }] })
  const life = live(pod, {})
  assert.equal([isTrue(life.look(), 'ContainersReady'), isTrue(life.look(), 'Ready')], [true, false])
  pod.status?.conditions?.push({ type: 'acme.test/open', status: 'True' })
  assert.is(isTrue(life.look(), 'Ready'), true)
})

running('a sidecar runs before the others begin, beside them, and ends with them', () => {
  const sidecar = { ...container('proxy'), restartPolicy: 'Always' }
  const pod = aPod({ restartPolicy: 'Never', initContainers: [sidecar, container('prepare')] as never })
  const life = live(pod, { containers: { prepare: { runFor: '5s' }, main: { runFor: '10s' } } })
  const stateOf = (status: ReturnType<typeof stopped>, index: number) =>
    Object.keys(status.initContainerStatuses?.[index]?.state ?? {})[0]
  const first = life.look()
  assert.equal([stateOf(first, 0), stateOf(first, 1), first.phase], ['running', 'running', 'Pending'])
  assert.not.ok(isTrue(first, 'Initialized'))
  const second = life.next()
  assert.equal([stateOf(second, 0), stateOf(second, 1), second.phase], ['running', 'terminated', 'Running'])
  assert.ok(isTrue(second, 'Initialized') && isTrue(second, 'Ready'))
  const last = life.next()
  assert.equal([stateOf(last, 0), last.phase], ['terminated', 'Succeeded'])
})
running('a sidecar that ends is started again, and the Pod is not ready meanwhile', () => {
  const sidecar = { ...container('proxy'), restartPolicy: 'Always' }
  const pod = aPod({ initContainers: [sidecar] as never })
  const life = live(pod, { containers: { proxy: { runFor: '5s', exitCode: 1 } } })
  assert.ok(isTrue(life.look(), 'Ready'))
  life.next()
  const crashed = life.next()
  assert.ok((crashed.initContainerStatuses?.[0]?.restartCount ?? 0) > 0)
  assert.is(crashed.phase, 'Running')
})

running.run()

const rules = suite('the rule that applies to a Pod')
const of = (pod: StoredPod, ...list: Rule[]) => findBehavior(pod, list, 'acme.test/behavior')
const controlledBy = (kind: string) => ({
  ownerReferences: [{ apiVersion: 'v1', kind, name: 'o', uid: 'o', controller: true }],
})
const matches: Record<string, [match: Rule['match'], metadata: StoredPod['metadata'], isMatch: boolean]> = {
  'one without a match applies to all': [undefined, {}, true],
  'by namespace': [{ namespaces: ['city', 'town'] }, {}, true],
  'not by another namespace': [{ namespaces: ['city'] }, {}, false],
  'by labels, all of them': [{ labels: { a: '1', b: '2' } }, { labels: { a: '1', b: '2', c: '3' } }, true],
  'not by half of the labels': [{ labels: { a: '1', b: '2' } }, { labels: { a: '1' } }, false],
  'by annotations': [{ annotations: { 'acme.test/slow': 'yes' } }, { annotations: { 'acme.test/slow': 'yes' } }, true],
  'by the kind of its owner': [{ ownerKinds: ['DaemonSet'] }, controlledBy('DaemonSet'), true],
  'not by another owner': [{ ownerKinds: ['DaemonSet'] }, controlledBy('ReplicaSet'), false],
  'by image, with any tag': [{ images: ['main:*'] }, {}, true],
  'not by a part of an image': [{ images: ['main'] }, {}, false],
  'all conditions must hold': [{ namespaces: ['town'], labels: { a: '1' } }, {}, false],
}
for (const [title, [match, metadata, isMatch]] of Object.entries(matches))
  rules(title, () => assert.is(of(aPod({}, metadata), { match, exitCode: 7 }).exitCode === 7, isMatch))

rules('is the first that matches', () => {
  assert.is(of(aPod(), { match: { namespaces: ['city'] }, exitCode: 1 }, { exitCode: 2 }, { exitCode: 3 }).exitCode, 2)
})
rules('a share of the Pods is always the same share', () => {
  const hit = Array.from({ length: 2000 }, (_, i) => aPod({}, { uid: `pod-${i}` })).filter(
    pod => of(pod, { match: { share: 0.25 }, exitCode: 1 }).exitCode === 1,
  )
  assert.ok(hit.length > 400 && hit.length < 600, `${hit.length} of 2000`)
  assert.ok(hit.every(pod => of(pod, { match: { share: 0.25 }, exitCode: 1 }).exitCode === 1))
})
rules('Pods of a Job end by themselves, unless a rule applies to them', () => {
  assert.is(of(aPod({}, controlledBy('Job'))).runFor, '1s')
  assert.is(of(aPod({}, controlledBy('Job')), { readyAfter: '1s' }).runFor, undefined)
})
rules('the annotation of the Pod takes precedence', () => {
  const said = (text: string) => of(aPod({}, { annotations: { 'acme.test/behavior': text } }), { exitCode: 1 })
  assert.equal(said('{"exitCode":9,"containers":{"main":{"runFor":"5s"}}}').exitCode, 9)
  assert.throws(() => said('{'), /acme\.test\/behavior is not JSON/)
  assert.throws(() => said('{"exitCode":"x"}'), /acme\.test\/behavior is invalid at \/exitCode/)
  assert.throws(() => said('{"exit":1}'), /invalid at \/exit/)
  assert.throws(() => said('{"runFor":"soon"}'), /behavior\.runFor: "soon" is not a duration/)
})
rules.run()
