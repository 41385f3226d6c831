import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import { widgets } from './resource.js'
import { group, type Widget } from './schema.js'

const ref = { group, version: 'v1', resource: 'widgets' }

/** Assembles widgets: reconciles the status with the spec. */
export const assembler = defineControlLoop({
  name: 'widget-assembler',
  rules: [{ verbs: ['update'], apiGroups: [group], resources: ['widgets/status'] }],
  sources: [{ resource: ref }],
  async reconcile(key, caches, runtime) {
    const { namespace, name } = splitKey(key)
    const widget = caches.of<Widget>(ref).get(namespace, name)
    const assembled = widget?.spec.size
    if (!widget || widget.metadata?.deletionTimestamp || widget.status?.assembled === assembled) return
    // A conflict throws, and the loop retries with the current object.
    await runtime.client
      .of(widgets)
      .in(namespace)
      .updateSubresource('status', { ...widget, status: { assembled } })
  },
})
