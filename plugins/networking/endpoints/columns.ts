import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { Endpoints } from 'orch/sdk/core'

const maxShown = 3

function endpointsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>'
  // Counted, not listed: thousands of addresses with thousands of ports are millions of pairs.
  const count = subsets.reduce(
    (sum, { addresses = [], ports = [] }) => sum + addresses.length * Math.max(ports.length, 1),
    0,
  )
  const shown = subsets
    .flatMap(({ addresses = [], ports = [] }) => {
      const first = addresses.slice(0, maxShown)
      return ports.length === 0
        ? first.map(({ ip }) => ip)
        : ports
            .slice(0, maxShown)
            .flatMap(({ port }) => first.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)))
    })
    .slice(0, maxShown)
    .join(',')
  return count > maxShown ? `${shown} + ${count - maxShown} more...` : shown
}

export const columns: readonly Column<Endpoints>[] = [
  nameColumn as Column<Endpoints>,
  { name: 'Endpoints', type: 'string', description: 'Addresses and ports that are ready.', cell: endpointsText },
  ageColumn as Column<Endpoints>,
]
