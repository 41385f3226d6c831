import { services } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'

/** What this server consists of, for those who may `get` this path. */
export const serverInventory = defineRoute({
  path: '/console/inventory',
  needs: { inventory: services.inventory },
  handle: (_request, { inventory }) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(inventory),
  }),
})
