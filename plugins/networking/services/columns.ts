import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import { labelsText, type Service, type ServicePort } from 'orch/sdk/core'
import { specOf } from './service-kinds.js'

const none = '<none>'
function externalAddress(service: Service): string {
  const { type, externalIPs = [], externalName = '' } = specOf(service)
  if (type === 'ExternalName') return externalName
  const given = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '')
  const balancer = [...new Set(given.filter(address => address !== ''))].sort()
  const all = type === 'LoadBalancer' ? [...balancer, ...externalIPs] : externalIPs
  if (all.length > 0) return all.join(',')
  return type === 'LoadBalancer' ? '<pending>' : none
}
const portText = ({ port, nodePort = 0, protocol }: ServicePort) =>
  nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`

const text = (
  name: string,
  description: string,
  cell: (service: Service) => string,
  priority = 0,
): Column<Service> => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
})
export const columns: readonly Column<Service>[] = [
  nameColumn as Column<Service>,
  text('Type', 'How the Service is reached.', service => specOf(service).type ?? ''),
  text('Cluster-IP', 'Address inside the cluster.', service => specOf(service).clusterIPs?.[0] || none),
  text('External-IP', 'Addresses outside the cluster.', externalAddress),
  text('Port(s)', 'Ports, with those opened on nodes.', service => {
    const { ports = [] } = specOf(service)
    return ports.length === 0 ? none : ports.map(portText).join(',')
  }),
  ageColumn as Column<Service>,
  text('Selector', 'Labels of the Pods behind it.', service => labelsText(specOf(service).selector), 1),
]
