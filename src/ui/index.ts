// The one door to the components: what is above src/ui imports from here and nothing behind it.
export { Avatar } from './Avatar.tsx';
export { BackToTop } from './BackToTop.tsx';
export { Banner, type BannerKind } from './Banner.tsx';
export { Brand } from './Brand.tsx';
export { Button } from './Button.tsx';
export { Card } from './Card.tsx';
export { Checkbox } from './Checkbox.tsx';
export { CopyField } from './CopyField.tsx';
export { EmptyState } from './EmptyState.tsx';
export { ErrorState } from './ErrorState.tsx';
export { ExactTime } from './ExactTime.tsx';
export { FoldingMenu } from './FoldingMenu.tsx';
export { GrowingCard } from './GrowingCard.tsx';
export { HeaderPopover } from './HeaderPopover.tsx';
export { findIconName, Icon, type IconName } from './Icon.tsx';
export { HelpLink } from './HelpLink.tsx';
export { IconButton } from './IconButton.tsx';
export { LanguageMenu } from './LanguageMenu.tsx';
export { Menu, type MenuEntry } from './Menu.tsx';
export { NothingHere, PageError } from './PageError.tsx';
export { PageHeader } from './PageHeader.tsx';
export { PasswordInput } from './PasswordInput.tsx';
export { Popover } from './Popover.tsx';
export { QrCode } from './QrCode.tsx';
export { RelativeTime } from './RelativeTime.tsx';
export { SearchInput } from './SearchInput.tsx';
export { Segmented } from './Segmented.tsx';
export { Select } from './Select.tsx';
export { SideSheet } from './SideSheet.tsx';
export { Skeleton } from './Skeleton.tsx';
export { Spinner } from './Spinner.tsx';
export { type StatusKind, StatusMark } from './StatusMark.tsx';
export { Switch } from './Switch.tsx';
export { TabLinks } from './TabLinks.tsx';
export { Tag } from './Tag.tsx';
export { TextInput } from './TextInput.tsx';
export { TOAST_ICONS, Toasts } from './Toasts.tsx';
export { toastNotification, ToastNotifications } from './ToastNotifications.tsx';
export { NearScreen } from './NearScreen.tsx';
export { saveCsv, saveText } from './charts/download.ts';
export { TimeSlider } from './TimeSlider.tsx';
export { Tooltip } from './Tooltip.tsx';
export { type Bar, BarChart } from './charts/BarChart.tsx';
export { type Layer, StackedChart } from './charts/StackedChart.tsx';
export { WorldMap } from './map/WorldMap.tsx';
export { circleAround, metresBetween, pointAt } from './map/circle.ts';
export type { MapMark, MapPoint, MapView } from './map/types.ts';
export { TimeChart } from './charts/TimeChart.tsx';
export type { TimeRange, TimeSeries } from './charts/types.ts';
export { countBadge } from './count-badge.ts';
export { cx } from './cx.ts';
export { DialogFrame } from './dialog/DialogFrame.tsx';
export { Tray } from './dialog/Tray.tsx';
export { returnFocus, trapTab } from './dialog/focus.ts';
export { CheckboxField } from './fields/CheckboxField.tsx';
export { ColorField } from './fields/ColorField.tsx';
export { Combobox, type ComboboxLabels, type ComboboxOption, type ComboboxSource, type ComboboxValue } from './fields/Combobox.tsx';
export { CsvImport, type CsvVerdict } from './fields/CsvImport.tsx';
export { DateField } from './fields/DateField.tsx';
export { type ControlAttributes, FieldFrame } from './fields/FieldFrame.tsx';
export { FieldGroup } from './fields/FieldGroup.tsx';
export { FileField } from './fields/FileField.tsx';
export { ListField } from './fields/ListField.tsx';
export { NumberField } from './fields/NumberField.tsx';
export { PasswordField } from './fields/PasswordField.tsx';
export { RadioField } from './fields/RadioField.tsx';
export { RangeField } from './fields/RangeField.tsx';
export { type RowsColumn, RowsTable } from './fields/RowsTable.tsx';
export { type Choice, SelectField } from './fields/SelectField.tsx';
export { TextAreaField } from './fields/TextAreaField.tsx';
export { TextField } from './fields/TextField.tsx';
export { type CsvLine, readCsv } from './fields/read-csv.ts';
export { icons } from './icons.ts';
export { BulkBar } from './table/BulkBar.tsx';
export { Code, Muted, TagLine } from './table/CellParts.tsx';
export { ColumnItem, ColumnList, ColumnOptionGrid, WidthSlider } from './table/ColumnList.tsx';
export { FilterChip } from './table/FilterChip.tsx';
export {
  ChoiceCheckbox,
  ChoiceDetail,
  ChoiceList,
  FilterGroup,
  FilterSearch,
  FloatingRowsButton,
  InlineForm,
  ListAge,
  ListBar,
  ListButtons,
  ListCard,
  ListLayout,
  ListNotice,
  ListStateFrame,
  ListStripBox,
  Panel,
  PanelBody,
  PanelFoot,
  PanelHead,
  PanelNote,
  ShortcutList,
  ToolGroup,
  ToolNote,
  ToolText,
} from './table/ListLayout.tsx';
export { Pagination } from './table/Pagination.tsx';
export { ResizeHandle } from './table/ResizeHandle.tsx';
export { SortHeader } from './table/SortHeader.tsx';
export { TableFrame } from './table/TableFrame.tsx';
export {
  CellLink,
  CheckCell,
  CheckHead,
  GroupRow,
  MenuCell,
  NarrowCell,
  PlainHead,
  RowMenuButton,
  RowName,
  RowNote,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
} from './table/TableParts.tsx';
export { TableSkeleton } from './table/TableSkeleton.tsx';
export { UiProvider } from './theme/UiProvider.tsx';
export { DialogAside, DialogForm, DialogLayer, DialogLoading, DialogNote, DialogSlot, DialogText } from './dialog/DialogParts.tsx';
export { HiddenSubmit } from './HiddenSubmit.tsx';
export { Tabs } from './Tabs.tsx';
export { TreeChart, type TreeChartItem, type TreeTone } from './tree/TreeChart.tsx';
export { WorkTabs } from './WorkTabs.tsx';
export { Radio } from './Radio.tsx';
export { FileButton, FolderButton } from './FileButton.tsx';
export { PressArea } from './PressArea.tsx';
export { PublicSheet, SheetLead, SheetLink } from './PublicSheet.tsx';
export { SmallTable, type SmallTableColumn } from './SmallTable.tsx';
