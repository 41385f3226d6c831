import type { ApiObject } from 'orch/sdk'
import { fileFlags } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { podSpecOf } from '../objects/pod-template.js'
import { selectObjects } from '../objects/select-objects.js'
import { UsageError } from '../usage-error.js'
import { createFlags, createObjects, pairsOf } from './create/create-objects.js'
import { overridden, overrideFlags } from './pod/run.js'

export const expose: Command = {
  name: 'expose',
  summary: 'Create a service for the Pods of a workload.',
  usage: '(TYPE NAME | TYPE/NAME | -f FILE) [--port N] [--target-port N|NAME] [flags]',
  examples: [
    ['With the ports of its containers', 'expose deployment web'],
    ['With another port', 'expose deployment/web --port=80 --target-port=8080 --name=site'],
  ],
  flags: [
    {
      name: 'port',
      kind: 'text',
      value: 'N,...',
      description: 'ports of the service; those of the containers by default',
    },
    { name: 'target-port', kind: 'text', value: 'PORT', description: 'number or name of the port of the containers' },
    {
      name: 'protocol',
      kind: 'text',
      value: 'NAME',
      description: 'TCP (the default), UDP or SCTP',
      choices: ['TCP', 'UDP', 'SCTP'],
    },
    {
      name: 'name',
      kind: 'text',
      value: 'NAME',
      description: 'name of the service; the name of the object by default',
    },
    { name: 'type', kind: 'text', value: 'TYPE', description: 'ClusterIP, NodePort, LoadBalancer or ExternalName' },
    { name: 'cluster-ip', kind: 'text', value: 'IP', description: 'its address, or None' },
    { name: 'external-ip', kind: 'list', value: 'IP', description: 'an additional address of the service' },
    { name: 'load-balancer-ip', kind: 'text', value: 'IP', description: 'the address of its load balancer' },
    { name: 'session-affinity', kind: 'text', value: 'HOW', description: 'None or ClientIP' },
    {
      name: 'selector',
      key: 'pods',
      kind: 'text',
      value: 'LABELS',
      description: 'labels of the Pods; those of the object by default',
    },
    { name: 'labels', short: 'l', kind: 'text', value: 'LABELS', description: 'labels of the service' },
    ...overrideFlags,
    ...fileFlags,
    ...createFlags,
  ],
  async run(call) {
    const session = await call.session()
    const manifests = await Promise.all(
      (await selectObjects(call, session)).map(async ({ collection, name, namespace, label }) => ({
        object: overridden(serviceOf(call, await collection.get(name), namespace), call),
        origin: label,
      })),
    )
    return createObjects(call, manifests, { verb: 'expose', done: 'exposed' })
  },
}

interface Exposed extends ApiObject {
  spec?: {
    selector?: Record<string, unknown>
    ports?: readonly { port: number; protocol?: string }[]
  }
}

function serviceOf({ flags }: Pick<Call, 'flags'>, object: Exposed, namespace: string): ApiObject {
  const labels = flags.has('labels') ? pairsOf(flags.items('labels'), 'labels') : object.metadata.labels
  const chosen = {
    type: flags.text('type'),
    clusterIP: flags.text('cluster-ip'),
    externalIPs: flags.has('external-ip') ? flags.items('external-ip') : undefined,
    loadBalancerIP: flags.text('load-balancer-ip'),
    sessionAffinity: flags.text('session-affinity'),
  }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: flags.text('name') ?? object.metadata.name, namespace, ...(labels ? { labels } : {}) },
    spec: {
      ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)),
      ports: portsOf({ flags }, object),
      selector: flags.has('pods') ? pairsOf(flags.items('pods'), 'selector') : selectorOf(object),
    },
  }
}

function selectorOf({ kind, metadata, spec }: Exposed): Record<string, string> {
  const unusable = (why: string) => new UsageError(`cannot expose a ${kind}: ${why}; add --selector`)
  if (kind === 'Pod') {
    if (!metadata.labels) throw unusable('the Pod has no labels')
    return metadata.labels
  }
  const { selector } = spec ?? {}
  if (!selector) throw unusable('it selects no Pods')
  if (!('matchLabels' in selector) && !('matchExpressions' in selector)) return selector as Record<string, string>
  if (selector['matchExpressions']) throw unusable('a service cannot select by expressions')
  return selector['matchLabels'] as Record<string, string>
}

/** The requested ports, or those of the object; named if there are several. */
function portsOf({ flags }: Pick<Call, 'flags'>, object: Exposed): object[] {
  const own = object.spec?.ports ?? podSpecOf(object)?.containers.flatMap(({ ports = [] }) => ports) ?? []
  const known = own.map(one => ({ port: 'port' in one ? one.port : one.containerPort, protocol: one.protocol }))
  const requested = flags.items('port').map(text => {
    if (!/^\d+$/.test(text)) throw new UsageError(`--port must be a number, not "${text}"`)
    return { port: Number(text), protocol: known.find(({ port }) => port === Number(text))?.protocol }
  })
  const ports = requested.length > 0 ? requested : known
  if (ports.length === 0) throw new UsageError("couldn't find port via --port flag or introspection")
  const target = flags.text('target-port')
  return ports.map(({ port, protocol }, index) => ({
    ...(ports.length > 1 ? { name: `port-${index + 1}` } : {}),
    port,
    protocol: flags.text('protocol') ?? protocol ?? 'TCP',
    targetPort: target === undefined ? port : /^\d+$/.test(target) ? Number(target) : target,
  }))
}
