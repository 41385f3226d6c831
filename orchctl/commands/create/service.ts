import type { FlagDefinition } from '../../arguments/flags.js'
import type { Call } from '../../command.js'
import { UsageError } from '../../usage-error.js'
import { createCommand, requiredFlag } from './create-objects.js'

const tcpFlag: FlagDefinition = {
  name: 'tcp',
  kind: 'list',
  value: 'PORT[:TARGET]',
  description: 'a port of the service; TARGET is the number or name of the port of the Pods if it differs',
}

const numbered = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text)

function portsOf({ flags }: Call, nodePort?: number): object[] {
  return flags.items('tcp').map(text => {
    const [port = '', target = port, ...more] = text.split(':')
    if (!/^\d+$/.test(port) || target === '' || more.length > 0)
      throw new UsageError(`--tcp needs PORT or PORT:TARGET, not "${text}"`)
    return {
      name: text.replace(':', '-'),
      port: Number(port),
      protocol: 'TCP',
      targetPort: numbered(target),
      ...(nodePort === undefined ? {} : { nodePort }),
    }
  })
}

const serviceOf = (name: string, type: string, spec: object) => ({
  kind: 'Service',
  metadata: { labels: { app: name } },
  spec: { ...spec, selector: { app: name }, type },
})
function requiredPorts(call: Call, nodePort?: number): { ports: object[] } {
  const ports = portsOf(call, nodePort)
  if (ports.length === 0) throw new UsageError('--tcp is required: --tcp=80:8080')
  return { ports }
}

export const createClusterIpService = createCommand({
  name: 'create service clusterip',
  summary: 'Create a service with an address inside the cluster.',
  usage: 'NAME [--tcp PORT[:TARGET]]... [flags]',
  examples: [
    ['For the Pods with the label app=web', 'create service clusterip web --tcp=80:8080'],
    ['Without an address', 'create service clusterip web --clusterip=None'],
  ],
  flags: [tcpFlag, { name: 'clusterip', kind: 'text', value: 'IP', description: 'its address, or None' }],
  build(call, name) {
    const clusterIP = call.flags.text('clusterip')
    if (clusterIP === undefined) return serviceOf(name, 'ClusterIP', requiredPorts(call))
    const ports = portsOf(call)
    return serviceOf(name, 'ClusterIP', { clusterIP, ...(ports.length > 0 ? { ports } : {}) })
  },
})

export const createNodePortService = createCommand({
  name: 'create service nodeport',
  summary: 'Create a service with a port on every node.',
  usage: 'NAME --tcp PORT[:TARGET]... [--node-port N] [flags]',
  examples: [['At a port of the nodes', 'create service nodeport web --tcp=80:8080 --node-port=30080']],
  flags: [
    tcpFlag,
    { name: 'node-port', kind: 'text', value: 'N', description: 'the port; chosen by the server by default' },
  ],
  build: (call, name) => serviceOf(name, 'NodePort', requiredPorts(call, call.flags.number('node-port'))),
})

export const createLoadBalancerService = createCommand({
  name: 'create service loadbalancer',
  summary: 'Create a service behind a load balancer.',
  usage: 'NAME --tcp PORT[:TARGET]... [flags]',
  examples: [['Reached from outside', 'create service loadbalancer web --tcp=80:8080']],
  flags: [tcpFlag],
  build: (call, name) => serviceOf(name, 'LoadBalancer', requiredPorts(call)),
})

export const createExternalNameService = createCommand({
  name: 'create service externalname',
  summary: 'Create a service that is an alias of a name outside of the cluster.',
  usage: 'NAME --external-name NAME [flags]',
  examples: [['A database elsewhere', 'create service externalname db --external-name=db.example.com']],
  flags: [tcpFlag, { name: 'external-name', kind: 'text', value: 'NAME', description: 'the name to resolve to' }],
  build(call, name) {
    const ports = portsOf(call)
    const externalName = requiredFlag(call, 'external-name', 'db.example.com')
    return serviceOf(name, 'ExternalName', { externalName, ...(ports.length > 0 ? { ports } : {}) })
  },
})
