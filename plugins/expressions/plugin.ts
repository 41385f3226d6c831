import { definePlugin } from 'orch/sdk'
import { expressionDifferences } from 'orch/sdk/expressions'
import { expressionService } from './service.js'

export const expressionLanguage = definePlugin({
  name: 'expressions',
  differences: expressionDifferences,
  register(to, { vendor }) {
    to.service(expressionService(vendor))
  },
})
