import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ApiObject } from 'orch/sdk'
import { allNamespacesFlag, outputFlag, showManagedFieldsFlag, templateFlags } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { podRunningTimeoutFlag } from '../objects/find-pods.js'
import { podSpecOf } from '../objects/pod-template.js'
import { withoutManagedFields } from '../output/print-objects.js'
import { withProgress } from '../output/progress.js'
import { yamlText } from '../output/yaml-text.js'
import type { Session } from '../session/session.js'

/** Types that are written for every namespace, if the server has them. */
const types = ['events', 'replicationcontrollers', 'services', 'daemonsets', 'deployments', 'replicasets', 'pods']

export const clusterInfoDump: Command = {
  name: 'cluster-info dump',
  summary: 'Write nodes, events, workloads and logs, for debugging.',
  usage: '[--output-directory FOLDER] [flags]',
  examples: [
    ['Of the system and this namespace', 'cluster-info dump --output-directory=dump'],
    ['Of everything', 'cluster-info dump -A --output-directory=dump'],
  ],
  flags: [
    {
      name: 'output-directory',
      kind: 'text',
      value: 'FOLDER',
      description: 'where to write; standard output by default',
    },
    { name: 'namespaces', kind: 'list', value: 'NAME,...', description: 'namespaces to write' },
    allNamespacesFlag,
    podRunningTimeoutFlag,
    outputFlag('json, yaml'),
    ...templateFlags,
    showManagedFieldsFlag,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const session = await call.session()
    const kinds = await session.kinds()
    const vendor = await session.vendor()
    const isYaml = flags.text('output') === 'yaml'
    const folder = flags.text('output-directory')
    const write = (name: string, text: string) => {
      if (folder === undefined) return terminal.write(text.endsWith('\n') ? text : `${text}\n`)
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const writeList = async (resource: string, namespace: string): Promise<ApiObject[]> => {
      const kind = kinds.findByName(resource)
      if (!kind?.verbs.includes('list')) return []
      const items: ApiObject[] = []
      for await (const item of session.collection<ApiObject>(kind, namespace).each())
        items.push(flags.is('show-managed-fields') ? item : withoutManagedFields(item))
      const list = { apiVersion: 'v1', kind: `${kind.kind}List`, items }
      const name = join(namespace, `${resource}.${isYaml ? 'yaml' : 'json'}`)
      write(name, isYaml ? yamlText(list) : `${JSON.stringify(list, undefined, 4)}\n`)
      return items
    }
    let at = 'nodes'
    await withProgress(
      terminal,
      () => `writing ${at}`,
      async () => {
        await writeList('nodes', '')
        for (const namespace of await namespacesOf(call, session, vendor.profile.namespaces.system)) {
          at = namespace
          let pods: ApiObject[] = []
          for (const type of types) pods = await writeList(type, namespace)
          for (const pod of pods) await writeLogs(session, pod, namespace, write, terminal.signal)
        }
      },
    )
    if (folder !== undefined && folder !== '-') terminal.write(`Cluster info dumped to ${folder}\n`)
  },
}

async function namespacesOf({ flags }: Call, session: Session, system: string): Promise<string[]> {
  if (flags.has('namespaces')) return [...flags.items('namespaces')]
  if (!flags.is('all-namespaces')) return [...new Set([system, session.namespace])]
  const { items } = await session.client
    .resource<ApiObject>({ group: '', version: 'v1', resource: 'namespaces' })
    .list()
  return items.map(({ metadata }) => metadata.name ?? '')
}

async function writeLogs(
  session: Session,
  pod: ApiObject,
  namespace: string,
  write: (name: string, text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { name = '' } = pod.metadata
  const parts: string[] = []
  for (const container of podSpecOf(pod)?.containers ?? []) {
    parts.push(`==== START logs for container ${container.name} of pod ${namespace}/${name} ====\n`)
    try {
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/log?container=${encodeURIComponent(container.name)}`
      const decoder = new TextDecoder()
      for await (const chunk of session.stream(path, signal)) parts.push(decoder.decode(chunk, { stream: true }))
    } catch (error) {
      parts.push(`${(error as Error).message}\n`)
    }
    parts.push(`==== END logs for container ${container.name} of pod ${namespace}/${name} ====\n`)
  }
  write(join(namespace, name, 'logs.txt'), parts.join(''))
}
