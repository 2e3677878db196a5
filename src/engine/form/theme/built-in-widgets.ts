import { AreaWidget } from './widgets/AreaWidget.tsx';
import { DateTimeWidget, DateWidget, TimeWidget } from './widgets/date-widgets.tsx';
import { CheckboxesWidget, CheckboxWidget, HiddenWidget, MultiSelectWidget, RadioWidget, SelectWidget } from './widgets/choice-widgets.tsx';
import { DataUrlWidget } from './widgets/DataUrlWidget.tsx';
import { DeviceSelectWidget } from './widgets/DeviceSelectWidget.tsx';
import { FileWidget, filesFault } from './widgets/FileWidget.tsx';
import { JsonWidget } from './widgets/JsonWidget.tsx';
import { ListInputWidget } from './widgets/ListInputWidget.tsx';
import { LookupWidget } from './widgets/LookupWidget.tsx';
import { RangeWidget } from './widgets/RangeWidget.tsx';
import { TableInputWidget } from './widgets/TableInputWidget.tsx';
import { ColorWidget, NumberWidget, PasswordWidget, TextAreaWidget, TextWidget } from './widgets/text-widgets.tsx';
import { TimeRangeWidget } from './widgets/TimeRangeWidget.tsx';
import { registerWidget } from './widgets.ts';

// The names that form files say.
registerWidget('text', TextWidget);
registerWidget('textarea', TextAreaWidget);
registerWidget('number', NumberWidget);
registerWidget('checkbox', CheckboxWidget, { layout: 'inline' });
registerWidget('select', SelectWidget);
registerWidget('radio', RadioWidget, { layout: 'group' });
registerWidget('lookup', LookupWidget);
registerWidget('multi-select', MultiSelectWidget);
registerWidget('file', FileWidget, { check: filesFault });
registerWidget('list-input', ListInputWidget, { showsPartErrors: true });
registerWidget('table-input', TableInputWidget, { layout: 'group', showsPartErrors: true });
registerWidget('date', DateWidget);
registerWidget('time-range', TimeRangeWidget, { layout: 'group', showsPartErrors: true });
registerWidget('json', JsonWidget);
registerWidget('device-select', DeviceSelectWidget, { layout: 'group' });
registerWidget('password', PasswordWidget);
registerWidget('color', ColorWidget);
registerWidget('map-area', AreaWidget);
registerWidget('hidden', HiddenWidget, { layout: 'none' });

// Those that rjsf has beside them.
for (const name of ['email', 'uri', 'hostname', 'updown']) registerWidget(name, TextWidget);
for (const name of ['date-time', 'datetime', 'alt-datetime']) registerWidget(name, DateTimeWidget);
for (const name of ['data-url', 'files']) registerWidget(name, DataUrlWidget);
registerWidget('alt-date', DateWidget);
registerWidget('time', TimeWidget);
for (const name of ['range', 'rating']) registerWidget(name, RangeWidget);
registerWidget('checkboxes', CheckboxesWidget, { layout: 'group' });
