import { defineController, services, splitKey, startControlLoop } from 'orch/sdk'
import { widgets } from './resource.js'
import { group, type Widget } from './schema.js'

const ref = { group, version: 'v1', resource: 'widgets' }

/** Assembles widgets: brings the status to what the spec asks for, whatever happened before. */
export const assembler = defineController({
  name: 'widget-assembler',
  needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
  start: runtime =>
    startControlLoop({
      ...runtime,
      name: 'widget-assembler',
      sources: [{ resource: ref }],
      async reconcile(key, caches) {
        const { namespace, name } = splitKey(key)
        const widget = caches.of<Widget>(ref).get(namespace, name)
        const assembled = widget?.spec?.size
        if (!widget || widget.metadata?.deletionTimestamp || widget.status?.assembled === assembled) return
        // A conflict throws, and the loop comes back with what is there by then.
        await runtime.client
          .of(widgets)
          .in(namespace)
          .updateSubresource('status', { ...widget, status: { assembled } })
      },
    }),
})
