import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { Endpoints } from './schema.js'

const maxShown = 3

function endpointsText({ subsets = [] }: Endpoints): string {
  const pairs = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) =>
          addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
        ),
  )
  if (subsets.length === 0) return '<none>'
  const shown = pairs.slice(0, maxShown).join(',')
  return pairs.length > maxShown ? `${shown} + ${pairs.length - maxShown} more...` : shown
}

export const columns: readonly Column<Endpoints>[] = [
  nameColumn as Column<Endpoints>,
  { name: 'Endpoints', type: 'string', description: 'Addresses and ports that are ready.', cell: endpointsText },
  ageColumn as Column<Endpoints>,
]
