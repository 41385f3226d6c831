import { definePlugin, field, Int32, Kind, kept, ListOf, type Static, StringMap, Struct, Text } from 'orch/sdk'

/** A fictional type in two versions, for tests that apply to all types. */
const WidgetSpec = Struct('test.v1.WidgetSpec', {
  color: field(1, Text({ default: 'grey' })),
  size: kept(2, Int32({ minimum: 0, maximum: 10 })),
  parts: field(3, ListOf(Text())),
  notes: field(4, StringMap()),
})
export const Widget = Kind('test.v1.Widget', { spec: field(2, WidgetSpec) })
export type Widget = Static<typeof Widget>

/** The older version called the color `paint`. */
const OldWidget = Kind('test.v1beta1.Widget', {
  spec: field(2, Struct('test.v1beta1.WidgetSpec', { paint: field(1, Text()), size: kept(2, Int32()) })),
})
type OldWidget = Static<typeof OldWidget>

export const widgetGroup = 'widgets.test'
export const widgets = definePlugin({
  name: 'widgets',
  register(to) {
    to.resource({
      group: widgetGroup,
      kind: 'Widget',
      resource: 'widgets',
      shortNames: ['wd'],
      namespaced: true,
      versions: [
        { name: 'v1', schema: Widget, storage: true },
        {
          name: 'v1beta1',
          schema: OldWidget,
          deprecated: { removedRelease: '2.0', replacement: `${widgetGroup}/v1 Widget` },
          toStorage: ({ metadata, spec }: OldWidget) => ({
            metadata,
            spec: {
              ...(spec?.paint ? { color: spec.paint } : {}),
              ...(spec?.size === undefined ? {} : { size: spec.size }),
            },
          }),
          fromStorage: ({ metadata, spec }: Widget) => ({
            metadata,
            spec: {
              ...(spec?.color ? { paint: spec.color } : {}),
              ...(spec?.size === undefined ? {} : { size: spec.size }),
            },
          }),
        },
      ],
      selectableFields: { 'spec.color': ({ spec }: Widget) => spec?.color ?? '' },
    })
  },
})
