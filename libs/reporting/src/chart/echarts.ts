// The parts of ECharts that charts use. The build bundles them into this module, a hundredth of the package's size.
export { type EChartsCoreOption, init, use } from 'echarts/core';
export { BarChart, LineChart, PieChart } from 'echarts/charts';
export { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
export { SVGRenderer } from 'echarts/renderers';
