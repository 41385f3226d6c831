import { cpSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bodyPrefix, CompactedError, type ReplicatedChange, StorageError, type StoreReplica } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../../test/support/temporary-folder.js'
import { openReplica, removeReplicasFrom } from './open-replica.js'

const replicas = suite('a replica in LMDB')

const body = (name: string) => Buffer.from(`${bodyPrefix}"name":"${name}"}}`)
const put = (revision: number, key: string, replaces: number): ReplicatedChange => ({
  revision,
  key,
  replaces,
  body: body(`${key}@${revision}`),
  attributes: Buffer.from(key),
})
const remove = (revision: number, key: string, replaces: number): ReplicatedChange => ({
  revision,
  key,
  replaces,
  body: undefined,
})
const open = (folder: string, warn: (message: string) => void = () => {}, source = 'here') =>
  openReplica({ folder, source, now: Date.now, warn })

async function namesAt(replica: StoreReplica, revision?: number): Promise<string[]> {
  const names: string[] = []
  for await (const { joined } of replica.list({ prefix: '', revision }).items) {
    const items = JSON.parse(`[${joined}]`) as { metadata: { name: string } }[]
    names.push(...items.map(({ metadata }) => metadata.name))
  }
  return names
}
const eventsOf = (replica: StoreReplica, from: number) =>
  [...replica.history('', from, Number.MAX_SAFE_INTEGER)].map(({ revision, type, key }) => `${revision} ${type} ${key}`)

async function within(use: (folder: string) => Promise<void>): Promise<void> {
  const { path, remove: tidy } = temporaryFolder()
  try {
    await use(path)
  } finally {
    tidy()
  }
}
/** Filled at revision 10 with /a and /b; then changes at 12, 15 and 20, and an unrelated one at 30. */
async function filled(folder: string): Promise<StoreReplica> {
  const replica = await open(folder)
  assert.is(replica.revision, 0)
  const object = (key: string, modRevision: number) => ({
    key,
    modRevision,
    body: body(`${key}@${modRevision}`),
    attributes: Buffer.from(key),
  })
  replica.fill([object('/a', 3), object('/b', 7)])
  assert.is(replica.revision, 0, 'not yet whole')
  replica.filled(10)
  replica.apply([put(12, '/a', 3), put(15, '/c', 0)], 15)
  replica.apply([remove(20, '/b', 7)], 20)
  replica.apply([], 30)
  return replica
}

replicas('lists every revision since it was filled, also those that changed nothing in it', () =>
  within(async folder => {
    const replica = await filled(folder)
    assert.is(replica.revision, 30)
    for (const revision of [10, 11]) assert.equal(await namesAt(replica, revision), ['/a@3', '/b@7'])
    for (const revision of [12, 13, 14]) assert.equal(await namesAt(replica, revision), ['/a@12', '/b@7'])
    for (const revision of [15, 19]) assert.equal(await namesAt(replica, revision), ['/a@12', '/b@7', '/c@15'])
    for (const revision of [20, 29, 30, undefined]) {
      assert.equal(await namesAt(replica, revision), ['/a@12', '/c@15'])
    }
    assert.equal(eventsOf(replica, 10), ['12 update /a', '15 create /c', '20 delete /b'])
    assert.is(replica.list({ prefix: '' }).revision, 30)
    assert.throws(() => replica.list({ prefix: '', revision: 9 }), CompactedErrorOnly)
    assert.throws(() => replica.list({ prefix: '', revision: 31 }), isStorageError)
    await replica.close()
  }),
)

const CompactedErrorOnly = (error: unknown) => error instanceof CompactedError
const isStorageError = (error: unknown) => error instanceof StorageError

replicas('compacts up to a revision, whether that changed anything or not', () =>
  within(async folder => {
    const replica = await filled(folder)
    await replica.compact(14)
    assert.is(replica.compactedRevision, 14)
    assert.equal(await namesAt(replica, 14), ['/a@12', '/b@7'])
    assert.throws(() => replica.history('', 13, 30), CompactedErrorOnly)
    assert.equal(eventsOf(replica, 14), ['15 create /c', '20 delete /b'])
    await replica.compact(29)
    assert.is(replica.compactedRevision, 29)
    assert.equal(eventsOf(replica, 29), [])
    replica.apply([put(31, '/a', 12)], 31)
    assert.equal(eventsOf(replica, 29), ['31 update /a'])
    assert.equal(await namesAt(replica, 30), ['/a@12', '/c@15'])
    await replica.close()
  }),
)

replicas('rejects a change that does not follow its contents, and skips one that it has', () =>
  within(async folder => {
    const replica = await filled(folder)
    for (const change of [put(31, '/a', 11), put(31, '/a', 0), put(31, '/b', 7), remove(31, '/b', 7)]) {
      assert.throws(() => replica.apply([change], 31), /follows revision/)
    }
    assert.is(replica.revision, 30)
    replica.apply([remove(20, '/b', 7), put(32, '/b', 0), put(33, '/b', 32)], 33)
    assert.equal(await namesAt(replica), ['/a@12', '/b@33', '/c@15'])
    await replica.close()
  }),
)

replicas('accepts a revision that changed several keys, and drops history that cannot represent it', () =>
  within(async folder => {
    const replica = await filled(folder)
    replica.apply([put(31, '/d', 0), remove(32, '/a', 12), remove(32, '/c', 15)], 32)
    assert.equal(await namesAt(replica), ['/d@31'])
    assert.is(replica.compactedRevision, 32)
    await replica.close()
  }),
)

replicas('is reused after it was closed, and locked while it is open', () =>
  within(async folder => {
    const first = await filled(folder)
    const beside = await open(folder)
    assert.is(beside.revision, 0)
    await beside.discard()
    await first.close()
    const again = await open(folder)
    assert.equal([again.revision, again.lastKey, again.count('')], [30, '/b', 2])
    await again.close()
    const other = await open(folder, undefined, 'elsewhere')
    assert.is(other.revision, 0)
    assert.is(other.count(''), 0)
    await other.close()
  }),
)

replicas('that was not closed is only trusted until the machine restarts', () =>
  within(async folder => {
    const replica = await filled(join(folder, 'one'))
    // What a killed process leaves.
    for (const copy of ['killed', 'crashed', 'untold']) {
      cpSync(join(folder, 'one/0/store/data.mdb'), join(folder, copy, '0/store/data.mdb'), { recursive: true })
      cpSync(join(folder, 'one/0/use.json'), join(folder, copy, '0/use.json'))
    }
    await replica.discard()
    assert.not(existsSync(join(folder, 'one/0/store')))
    const use = join(folder, 'crashed/0/use.json')
    writeFileSync(use, readFileSync(use, 'utf8').replace(/"boot":"[^"]*"/, '"boot":"another"'))
    writeFileSync(join(folder, 'untold/0/use.json'), '{')
    for (const [copy, revision] of [
      ['killed', 30],
      ['crashed', 0],
      ['untold', 0],
    ] as const) {
      const found = await open(join(folder, copy))
      assert.is(found.revision, revision, copy)
      await found.discard()
    }
  }),
)

replicas('that is damaged is empty, and says so', () =>
  within(async folder => {
    await (await filled(folder)).close()
    truncateSync(join(folder, '0/store/data.mdb'), 9000)
    const told: string[] = []
    const found = await open(folder, message => told.push(message))
    assert.is(found.revision, 0)
    assert.match(told.join(), /is rebuilt: .*truncated/)
    await found.close()
  }),
)

replicas('of processes that no longer exist are removed, those that may be in use are not', () =>
  within(async folder => {
    const opened = [await filled(folder), await open(folder), await open(folder), await open(folder)]
    const areThere = () => opened.map((_, number) => existsSync(join(folder, `${number}/store`)))
    for (const each of opened.slice(0, 3)) await each.close()
    await removeReplicasFrom(folder, 1)
    assert.equal(areThere(), [true, false, false, true])
    await opened[3]!.close()
    await removeReplicasFrom(folder, 1)
    assert.equal(areThere(), [true, false, false, false])
    await removeReplicasFrom(join(folder, 'none'), 1)
  }),
)

replicas('whose files are removed fails the lists in progress', () =>
  within(async folder => {
    const replica = await filled(folder)
    const page = replica.list({ prefix: '' })
    await replica.discard()
    let failure: unknown
    try {
      for await (const _ of page.items);
    } catch (error) {
      failure = error
    }
    assert.instance(failure, StorageError)
    assert.throws(() => replica.get('/a'), isStorageError)
  }),
)

replicas.run()
