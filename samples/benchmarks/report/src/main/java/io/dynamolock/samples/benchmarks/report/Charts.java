/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the first figure of a scenario: a bar for each median, marks for minimum and maximum. */
final class Charts {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 320;

    private Charts() {}

    /** Writes an SVG file. */
    static void write(Results results, Path file) throws IOException {
        VectorGraphicsEncoder.saveVectorGraphic(draw(results), file.toString(), VectorGraphicsFormat.SVG);
    }

    static CategoryChart draw(Results results) {
        Metric metric = results.experiment().metrics().get(0);
        List<Peer> peers = results.peers();
        List<String> labels = peers.stream().map(Peer::label).toList();
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(results.experiment().title())
                .yAxisTitle(metric.label())
                .build();
        style(chart.getStyler());
        for (Peer peer : peers) {
            List<@Nullable Double> bar = new ArrayList<>(Collections.nCopies(peers.size(), null));
            bar.set(peers.indexOf(peer), results.of(peer, metric).median());
            chart.addSeries(peer.label(), labels, bar).setFillColor(peer.color());
        }
        mark(chart, "minimum", labels, values(results, metric, Statistics::min));
        mark(chart, "maximum", labels, values(results, metric, Statistics::max));
        return chart;
    }

    private static void style(CategoryStyler styler) {
        styler.setLegendVisible(false);
        styler.setOverlapped(true);
        styler.setAvailableSpaceFill(0.5);
        styler.setYAxisMin(0.0);
        styler.setYAxisDecimalPattern("#,##0.##");
        styler.setYAxisTickMarkSpacingHint(60);
        styler.setPlotGridVerticalLinesVisible(false);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
    }

    private static void mark(CategoryChart chart, String name, List<String> labels, List<Double> values) {
        CategorySeries series = chart.addSeries(name, labels, values);
        series.setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Scatter);
        series.setMarker(SeriesMarkers.DIAMOND);
        series.setMarkerColor(Color.DARK_GRAY);
    }

    private static List<Double> values(Results results, Metric metric, ToDoubleFunction<Statistics> part) {
        return results.peers().stream()
                .map(peer -> part.applyAsDouble(results.of(peer, metric)))
                .toList();
    }
}
