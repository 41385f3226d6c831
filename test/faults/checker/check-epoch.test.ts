import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkEpoch, type Epoch } from './check-epoch.js'
import type { GetOperation, ListOperation, Operation, WatchSegment, WriteOperation } from './operation.js'
import type { CommittedEvent, EventType, Version } from './version.js'

/** One key exists as `u1`: written as a, b and c, deleted, and created again as d with uid `u2`. */
const event = (revision: number, type: EventType, value: string, uid = 'u1', key = 'k'): CommittedEvent => ({
  revision,
  type,
  key,
  value,
  uid,
})
const committed: readonly CommittedEvent[] = [
  event(11, 'ADDED', 'a'),
  event(12, 'MODIFIED', 'b'),
  event(14, 'MODIFIED', 'c'),
  event(15, 'DELETED', 'c'),
  event(17, 'ADDED', 'd', 'u2'),
]
const version = (revision: number, value: string, uid = 'u1', key = 'k'): Version => ({ key, revision, value, uid })

type Times = readonly [start: number, end: number]
const write = (kind: WriteOperation['kind'], [start, end]: Times, more: Partial<WriteOperation>): WriteOperation => ({
  kind,
  key: 'k',
  client: 'writer',
  outcome: 'ok',
  start,
  end,
  ...more,
})
const create = write('create', [0, 10], { value: 'a', revision: 11, uid: 'u1' })
const update = write('update', [20, 30], { value: 'b', revision: 12, uid: 'u1', expect: 11 })
const patch = write('patch', [40, 50], { value: 'c', revision: 14, uid: 'u1' })
const remove = write('delete', [60, 70], { uid: 'u1' })
const apply = write('apply', [80, 90], { value: 'd', revision: 17, uid: 'u2' })
const writes = [create, update, patch, remove, apply]

const get = ([start, end]: Times, found?: Version): GetOperation => ({
  kind: 'get',
  key: 'k',
  client: 'reader',
  outcome: 'ok',
  start,
  end,
  found,
})
const list = ([start, end]: Times, revision: number, items: readonly Version[], more: Partial<ListOperation> = {}) =>
  ({ kind: 'list', client: 'lister', outcome: 'ok', start, end, revision, items, isWhole: true, ...more }) as const
const watch = (from: number, through: number, events: readonly CommittedEvent[]): WatchSegment => ({
  watcher: 'watcher',
  from,
  through,
  events,
})

const epoch = (more: Partial<Epoch>, operations: readonly Operation[] = writes): Epoch => ({
  start: 10,
  state: new Map(),
  events: committed,
  operations,
  pending: [],
  watches: [],
  ...more,
})
const rulesBroken = (given: Epoch): string[] => [...new Set(checkEpoch(given).violations.map(({ rule }) => rule))]
const replaced = (one: WriteOperation, other: WriteOperation) => writes.map(each => (each === one ? other : each))

const sound = suite('a valid history')

const good: Record<string, Epoch> = {
  'writes one after the other, with their events': epoch({ watches: [watch(10, 17, committed)] }),
  'a read during a write sees the state before or after it': epoch({}, [
    ...writes,
    get([22, 25], version(11, 'a')),
    get([22, 25], version(12, 'b')),
  ]),
  'a key is not found before, between and after its lifetimes': epoch({}, [...writes, get([1, 2]), get([75, 76])]),
  'a write of unknown outcome that happened': epoch({}, replaced(patch, { ...patch, outcome: 'unknown' })),
  'a deletion of unknown outcome that happened': epoch(
    {},
    replaced(remove, write('delete', [60, 99], { outcome: 'unknown' })),
  ),
  'one of two deletions of unknown outcome happened, and the other was too late': epoch({}, [
    ...writes.filter(each => each !== remove),
    write('delete', [60, 64], { outcome: 'unknown' }),
    write('delete', [95, 99], { outcome: 'unknown', expect: 14 }),
  ]),
  'a write of unknown outcome that happened long after its timeout': epoch({
    pending: [write('patch', [-500, -400], { value: 'c', outcome: 'unknown' })],
    operations: writes.filter(each => each !== patch),
  }),
  'refusals that the state explains': epoch({}, [
    ...writes,
    write('create', [32, 33], { value: 'x', outcome: 'refused', refusal: 'exists' }),
    write('update', [32, 33], { value: 'y', expect: 11, outcome: 'refused', refusal: 'conflict' }),
    write('patch', [75, 76], { value: 'z', outcome: 'refused', refusal: 'absent' }),
  ]),
  'lists, whole and in part, now and of the past': epoch({}, [
    ...writes,
    list([22, 28], 12, [version(12, 'b')]),
    list([72, 75], 16, []),
    list([92, 95], 13, [version(12, 'b')], { kind: 'exact' }),
    list([42, 45], 12, [], { kind: 'pages', isWhole: false }),
  ]),
  'a watch that started later and did not reach the end': epoch({ watches: [watch(12, 15, committed.slice(2, 4))] }),
}
for (const [title, given] of Object.entries(good)) sound(title, () => assert.equal(rulesBroken(given), []))

sound('passes on the state and the unknown outcomes', () => {
  const lost = write('patch', [55, 58], { value: 'never', outcome: 'unknown' })
  const verdict = checkEpoch(epoch({}, [...writes, lost]))
  assert.equal([...verdict.state.values()], [version(17, 'd', 'u2')])
  assert.equal(verdict.pending, [lost])
  assert.is(verdict.verified.acknowledgedWrites, 5)
})
sound.run()

const unsound = suite('an invalid history')

const withoutEvent = (revision: number) => committed.filter(each => each.revision !== revision)
const bad: Record<string, [rule: string, Epoch]> = {
  'an acknowledged write is not in the log': ['no acknowledged write is lost', epoch({ events: withoutEvent(14) })],
  'an acknowledged deletion is not in the log': [
    'no acknowledged write is lost',
    epoch({ events: committed.slice(0, 3), operations: writes.slice(0, 4) }),
  ],
  'a revision is used again for another write': [
    'no acknowledged write is lost',
    epoch({ events: [...committed.slice(0, 2), event(14, 'MODIFIED', 'e'), ...committed.slice(3)] }),
  ],
  'a refused write is in the log': [
    'a refused write changes nothing',
    epoch({}, replaced(patch, { ...patch, outcome: 'refused' })),
  ],
  'an event without a write': [
    'every event belongs to a write that was sent',
    epoch(
      {},
      writes.filter(each => each !== patch),
    ),
  ],
  'a write is done twice': [
    'a write is committed once',
    epoch({ events: [...committed.slice(0, 3), event(15, 'MODIFIED', 'c')], operations: writes.slice(0, 3) }),
  ],
  'a write happened although its precondition did not hold': [
    'a write happens only if its precondition holds',
    epoch({}, replaced(patch, { ...patch, expect: 11 })),
  ],
  'an existing key is added': [
    'every event fits the state before it',
    epoch({ events: [...committed.slice(0, 2), event(14, 'ADDED', 'c'), ...committed.slice(3)] }),
  ],
  'revisions fall': ['revisions rise', epoch({ events: [committed[1]!, committed[0]!, ...committed.slice(2)] })],
  'a later write has the smaller revision': [
    'a write that begins after another operation ended has a later revision',
    epoch({}, replaced(create, { ...create, start: 31, end: 35 })),
  ],
  'a write of unknown outcome happened before it was sent': [
    'a write that begins after another operation ended has a later revision',
    epoch({}, replaced(patch, { ...patch, start: 75, outcome: 'unknown' })),
  ],
  'a deletion of unknown outcome happened before it was sent': [
    'a write that begins after another operation ended has a later revision',
    epoch({}, replaced(remove, write('delete', [95, 99], { outcome: 'unknown' }))),
  ],
  'one deletion of unknown outcome happened twice': [
    'every event belongs to a write that was sent',
    epoch({ events: [...committed, event(18, 'DELETED', 'd', 'u2')] }, [
      ...writes.filter(each => each !== remove),
      write('delete', [60, 64], { outcome: 'unknown' }),
    ]),
  ],
  'a read sees an overwritten value': [
    'a read sees everything that was acknowledged before it began',
    epoch({}, [...writes, get([32, 33], version(11, 'a'))]),
  ],
  'a read is older than an earlier read': [
    'a read sees everything that was acknowledged before it began',
    epoch({}, [...writes, get([22, 23], version(12, 'b')), get([24, 25], version(11, 'a'))]),
  ],
  'a read is older than a list': [
    'a read sees everything that was acknowledged before it began',
    epoch({}, [...writes, list([22, 23], 12, [version(12, 'b')]), get([24, 25], version(11, 'a'))]),
  ],
  'a key is not found while it exists': [
    // Only its deletion explains the response, and that was sent later.
    'a write that begins after another operation ended has a later revision',
    epoch({}, [...writes.slice(0, 3), get([52, 53])].concat([remove, apply])),
  ],
  'a read sees a value that was never written': [
    'a read sees what was committed',
    epoch({}, [...writes, get([32, 33], version(12, 'x'))]),
  ],
  'a creation is refused because of a deleted key': [
    'a read sees everything that was acknowledged before it began',
    epoch({ events: committed.slice(0, 4) }, [
      ...writes.slice(0, 4),
      write('create', [75, 76], { value: 'x', outcome: 'refused', refusal: 'exists' }),
    ]),
  ],
  'a list is older than an acknowledged write': [
    'a read sees everything that was acknowledged before it began',
    epoch({}, [...writes, list([52, 53], 12, [version(12, 'b')])]),
  ],
  'a list has old items under a new revision': [
    'a list is the state at its revision',
    epoch({}, [...writes, list([52, 53], 14, [version(12, 'b')])]),
  ],
  'a list of the past differs from the log': [
    'a list is the state at its revision',
    epoch({}, [...writes, list([92, 95], 13, [], { kind: 'exact' })]),
  ],
  'a page skips an item': [
    'a list is the state at its revision',
    epoch({}, [...writes, list([92, 95], 17, [], { kind: 'pages' })]),
  ],
  'a watch misses an event': ['a watch misses no event', epoch({ watches: [watch(10, 17, withoutEvent(14))] })],
  'a watch sees an event twice': [
    'a watch sees no event twice',
    epoch({ watches: [watch(10, 17, [...committed.slice(0, 2), committed[1]!, ...committed.slice(2)])] }),
  ],
  'a watch sees events out of order': [
    'a watch sees events in order',
    epoch({ watches: [watch(10, 17, [committed[1]!, committed[0]!, ...committed.slice(2)])] }),
  ],
  'a watch sees an uncommitted event': [
    'a watch sees only what was committed',
    epoch({ watches: [watch(10, 17, [...committed.slice(0, 2), event(13, 'MODIFIED', 'x'), ...committed.slice(2)])] }),
  ],
}
for (const [title, [rule, given]] of Object.entries(bad)) {
  unsound(title, () => assert.ok(rulesBroken(given).includes(rule), `broken: ${rulesBroken(given).join('; ')}`))
}
unsound.run()
