import { defineAction, field, Int32, invalid, Kind, type ObjectOf, Struct } from 'orch/sdk'
import { validateWidget } from './rules.js'
import { group, type Widget } from './schema.js'

const Scale = Kind('widgets.v1.WidgetScale', {
  spec: field(2, Struct('widgets.v1.WidgetScaleSpec', { size: field(1, Int32({ minimum: 1 })) })),
})
type Scale = ObjectOf<typeof Scale>
const shown = ({ metadata, spec }: Widget): { object: Scale } => ({ object: { metadata, spec: { size: spec.size } } })

/** `widgets/NAME/scale`: an action with its own type, for users who may only change the size. */
export const scale = defineAction({
  group,
  version: 'v1',
  objectKind: 'WidgetScale',
  schema: Scale,
  handlers: {
    get: ({ target }) => shown(target as Widget),
    async update({ body, name, updateTarget }) {
      const { spec } = body as Scale
      const changed = await updateTarget(draft => {
        const widget = draft as Widget
        widget.spec = { ...widget.spec, size: spec?.size }
        const errors = validateWidget(widget)
        if (errors.length > 0) throw invalid({ group, kind: 'WidgetScale' }, name, errors)
      })
      return shown(changed as Widget)
    },
  },
})
