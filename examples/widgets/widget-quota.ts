import { defineAdmission, reject, services } from 'orch/sdk'
import { group, type Widget } from './schema.js'

/** Limits the total size of widgets in one namespace. A rule about other objects is admission, not validation. */
export const widgetQuota = (most: number) =>
  defineAdmission<Widget>()({
    name: 'WidgetQuota',
    phase: 'validate',
    sideEffects: 'none',
    // Scaling changes the size, too.
    matches: { group, resource: 'widgets', subresource: ['', 'scale'], operations: ['create', 'update'] },
    needs: { reader: services.reader },
    async review({ object, namespace, name }, { reader }) {
      const others = await reader.list<Widget>({ group, resource: 'widgets' }, namespace)
      const taken = others.filter(({ metadata }) => metadata?.name !== name)
      const total = [...taken, object].reduce((sum, { spec }) => sum + (spec.size ?? 0), 0)
      if (total > most) return reject(`widgets of namespace "${namespace}" would have size ${total}, more than ${most}`)
    },
  })
