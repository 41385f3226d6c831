import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { WebhookConfiguration } from './validation.js'

export const columns: readonly Column<WebhookConfiguration>[] = [
  nameColumn as Column<WebhookConfiguration>,
  {
    name: 'Webhooks',
    type: 'integer',
    description: 'Number of webhooks in this configuration.',
    cell: ({ webhooks = [] }) => webhooks.length,
  },
  ageColumn as Column<WebhookConfiguration>,
]
