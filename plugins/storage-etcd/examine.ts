import type { LayerFinding } from 'orch/sdk/host'
import { Connection, type TlsFiles } from './connection.js'
import { messageOf, storageErrorFrom } from './etcd-errors.js'
import { alarmNames, tlsFiles } from './open-etcd-store.js'
import type { EtcdOptions } from './options.js'
import { clusterOf, methods, toNumber } from './protocol.js'

/** A member that is well answers in milliseconds; an operator waits for this. */
const answerMs = 3000

interface Answer {
  readonly server: string
  readonly version: string
  readonly megabytes: number
  readonly cluster: number
  readonly hasMajority: boolean
  readonly alarms: readonly string[]
}
interface Silence {
  readonly server: string
  readonly why: string
}

/** For `orch doctor`: asks every member how it is. */
export async function examine(options: EtcdOptions): Promise<readonly LayerFinding[]> {
  if (options.etcdServers.length === 0)
    return [{ grade: 'wrong', what: 'no etcd is named', remedy: 'Name its members with --etcd-servers' }]
  let files: TlsFiles
  try {
    files = tlsFiles(options)
  } catch (error) {
    return [
      { grade: 'wrong', what: messageOf(error), remedy: 'Correct --etcd-cafile, --etcd-certfile, --etcd-keyfile' },
    ]
  }
  const asked = await Promise.all(options.etcdServers.map(server => askMember(server, files)))
  const answers = asked.filter(each => 'version' in each)
  const silent = asked.filter(each => 'why' in each)
  return [
    ...answers.map(memberFinding),
    ...silent.map(each => silenceFinding(each, answers.length)),
    ...clusterFindings(answers),
  ]
}

async function askMember(server: string, files: TlsFiles): Promise<Answer | Silence> {
  const connection = new Connection([server], files, answerMs)
  try {
    const status = await connection.once(methods.status, {})
    // Alarms are only available with a majority.
    const raised = toNumber(status.leader) === 0 ? undefined : await alarmsOf(connection)
    return {
      server,
      version: status.version,
      megabytes: Math.ceil(toNumber(status.dbSize) / 1e6),
      cluster: clusterOf(status),
      hasMajority: raised !== undefined,
      alarms: raised ?? [],
    }
  } catch (error) {
    return { server, why: messageOf(storageErrorFrom(error)).replace(/^etcd does not answer: /, '') }
  } finally {
    connection.close()
  }
}

async function alarmsOf(connection: Connection): Promise<readonly string[] | undefined> {
  try {
    const { alarms } = await connection.once(methods.alarm, { action: 0 })
    return alarms.map(({ alarm }) => alarmNames[alarm] ?? String(alarm))
  } catch {
    return undefined
  }
}

function memberFinding({ server, version, megabytes, hasMajority }: Answer): LayerFinding {
  return hasMajority
    ? { grade: 'fine', what: `etcd at ${server} answers: version ${version}, ${megabytes} MB` }
    : {
        grade: 'wrong',
        what: `etcd at ${server} reaches too few of the other members: neither reads nor writes succeed`,
        remedy: 'Start the members that are down, or restore the connections between them',
      }
}

const silenceFinding = ({ server, why }: Silence, others: number): LayerFinding =>
  others === 0
    ? {
        grade: 'wrong',
        what: `etcd at ${server} does not answer: ${why}`,
        remedy: 'Start it, or correct --etcd-servers',
      }
    : {
        grade: 'warning',
        what: `etcd at ${server} does not answer: ${why}; others do`,
        remedy: 'Start it, or take it out of --etcd-servers',
      }

/** Members of different clusters have different objects: responses would depend on the member. */
function clusterFindings(answers: readonly Answer[]): LayerFinding[] {
  const [first] = answers
  const strangers = answers.filter(({ cluster }) => cluster !== first?.cluster)
  const alarms = new Set(answers.flatMap(each => each.alarms))
  return [
    ...strangers.map(
      ({ server }): LayerFinding => ({
        grade: 'wrong',
        what: `etcd at ${server} is of another cluster than ${first?.server}`,
        remedy: 'Name members of one cluster in --etcd-servers',
      }),
    ),
    ...[...alarms].map(
      (alarm): LayerFinding => ({
        grade: 'wrong',
        what: `etcd raises an alarm: ${alarm}`,
        remedy: 'Fix that on the members, then run `etcdctl alarm disarm`',
      }),
    ),
  ]
}
