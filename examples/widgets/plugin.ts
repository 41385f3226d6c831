import { definePlugin, Type } from 'orch/sdk'
import { assembler } from './assembler.js'
import { widgets } from './resource.js'
import { widgetQuota } from './widget-quota.js'

export const widgetPlugin = definePlugin({
  name: 'widgets',
  sdk: '^1.0.0',
  options: Type.Object({
    widgetQuota: Type.Integer({ minimum: 1, default: 1000, description: 'Total size of widgets in a namespace.' }),
  }),
  register(to, { options }) {
    to.resource(widgets)
    to.admission(widgetQuota(options.widgetQuota))
    to.controller(assembler)
  },
})
