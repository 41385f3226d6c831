import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from '../../fuzz/seeded-random.js'
import type { Cluster } from './cluster.js'

/** A fault, which is healed when the promise resolves. */
export type Fault = (cluster: Cluster, random: SeededRandom) => Promise<void>

const someServer = (cluster: Cluster, random: SeededRandom) => random.pick(cluster.servers)
const someMember = (cluster: Cluster, random: SeededRandom) => random.between(0, cluster.memberCount - 1)

const onServers: Readonly<Record<string, Fault>> = {
  'kill a server': async (cluster, random) => {
    const server = someServer(cluster, random)
    await server.kill()
    await pause(random.between(0, 300))
    await server.start()
  },
  'pause a server': async (cluster, random) => {
    const server = someServer(cluster, random)
    server.pause()
    await pause(random.between(100, 2500))
    server.resume()
  },
  'reset connections': async (cluster, random) => {
    for (let times = random.between(1, 4); times > 0; times--) {
      someServer(cluster, random).proxy.cut()
      await pause(random.between(10, 300))
    }
  },
  'cut answers short': async (cluster, random) => {
    const { proxy } = someServer(cluster, random)
    proxy.cutAfter(() => random.between(0, 12_000))
    await pause(random.between(300, 2000))
    proxy.cutAfter(undefined)
  },
  'lose answers': async (cluster, random) => {
    const { proxy } = someServer(cluster, random)
    proxy.loseAnswers(true)
    await pause(random.between(50, 800))
    proxy.loseAnswers(false)
  },
}

const onDisk: Readonly<Record<string, Fault>> = {
  'fill the disk': async (cluster, random) => {
    const server = someServer(cluster, random)
    server.fillDisk()
    await pause(random.between(300, 2000))
    server.freeDisk()
  },
}

const onWorkers: Readonly<Record<string, Fault>> = {
  'kill a worker': async (cluster, random) => {
    const server = someServer(cluster, random)
    server.killWorker(random.pick(server.workers))
    await pause(random.between(100, 2000))
  },
}

const onMembers: Readonly<Record<string, Fault>> = {
  'kill a member': async (cluster, random) => {
    const member = someMember(cluster, random)
    await cluster.etcd?.kill(member)
    await pause(random.between(0, 2000))
    await cluster.etcd?.restart(member)
  },
  'kill the majority': async (cluster, random) => {
    const spared = someMember(cluster, random)
    const killed = Array.from({ length: cluster.memberCount }, (_, member) => member).filter(each => each !== spared)
    await Promise.all(killed.map(member => cluster.etcd?.kill(member)))
    await pause(random.between(0, 1000))
    await Promise.all(killed.map(member => cluster.etcd?.restart(member)))
  },
  'pause a member': async (cluster, random) => {
    const member = someMember(cluster, random)
    cluster.etcd?.pause(member)
    await pause(random.between(100, 4000))
    cluster.etcd?.resume(member)
  },
}

const onReplicas: Readonly<Record<string, Fault>> = {
  'spoil a replica': async (cluster, random) => {
    const server = someServer(cluster, random)
    await server.kill()
    server.spoilReplica(random)
    await server.start()
  },
}

/** The faults that apply to a cluster. */
export const faultsOf = (cluster: Cluster): ReadonlyMap<string, Fault> =>
  new Map(
    Object.entries({
      ...onServers,
      ...(cluster.hasDisk ? onDisk : {}),
      ...(cluster.hasWorkers ? onWorkers : {}),
      ...(cluster.etcd ? { ...onMembers, ...onReplicas } : {}),
    }),
  )
