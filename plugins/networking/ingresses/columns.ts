import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { Ingress, IngressRule } from './schema.js'

const shownHosts = 3
function hostsText(rules: readonly IngressRule[]): string {
  const named = rules.filter(({ host = '' }) => host !== '').slice(0, shownHosts)
  const shown = named.map(({ host }) => host).join(',')
  const last = named[shownHosts - 1]
  const isCut = last !== undefined && rules.indexOf(last) < rules.length - 1
  return isCut ? `${shown} + ${rules.length - shownHosts} more...` : shown || '*'
}

const text = (name: string, description: string, cell: (ingress: Ingress) => string): Column<Ingress> => ({
  name,
  type: 'string',
  description,
  cell,
})

export const columns: readonly Column<Ingress>[] = [
  nameColumn as Column<Ingress>,
  text('Class', 'The class of the Ingress.', ({ spec }) => spec?.ingressClassName ?? '<none>'),
  text('Hosts', 'Host names of its rules.', ({ spec }) => hostsText(spec?.rules ?? [])),
  text('Address', 'Addresses of its load balancer.', ({ status }) => {
    const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '')
    return [...new Set(addresses.filter(address => address !== ''))].sort().join(',')
  }),
  text('Ports', 'Ports it listens on.', ({ spec }) => ((spec?.tls ?? []).length > 0 ? '80, 443' : '80')),
  ageColumn as Column<Ingress>,
]
